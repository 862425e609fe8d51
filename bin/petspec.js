#!/usr/bin/env node
// An old Node has to get as far as the version check: no import statement, which Node follows before it runs a line, and
// no syntax younger than `import()`.
const [major, minor] = process.versions.node.split('.').map(Number);

if ((major === 20 && minor >= 19) || major >= 22) {
  import('../dist/src/cli/main.js')
    .then((cli) => cli.main(process.argv))
    .then((status) => {
      process.exitCode = status;
    })
    .catch((error) => {
      process.stderr.write(`petspec: cannot start: ${error.message}\n`);
      process.exitCode = 4;
    });
} else {
  process.stderr.write(`petspec: Node 20.19, 22 or newer is needed; this is Node ${process.versions.node}\n`);
  process.exitCode = 2;
}
