#!/usr/bin/env node
// An old Node must reach the version check. So this file has no import statements, which Node loads before it runs a
// line, and no syntax newer than `import()`.
const [major, minor] = process.versions.node.split('.').map(Number);

if ((major === 20 && minor >= 19) || major >= 22) {
  import('../dist/package/src/cli/main.js')
    .then((cli) => cli.main(process.argv))
    .then((status) => {
      process.exitCode = status;
    })
    .catch((error) => {
      // A long message quotes something, which may contain a secret. Nothing here can redact it.
      const why = String(error.message).length > 1000 ? error.name : error.message;
      process.stderr.write(`petspec: cannot start: ${why}\n`);
      process.exitCode = 4;
    });
} else {
  process.stderr.write(
    `petspec: unsupported Node ${process.versions.node}; petspec needs Node 20.19, 22 or newer\n`,
  );
  process.exitCode = 2;
}
