import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Files (PEM) of a certificate and its key, and what is in them. */
export interface Identity {
  certificateFile: string;
  keyFile: string;
  certificate: string;
  key: string;
}

/** An authority of a test's own, and certificates that it signed: valid for two days, made anew each time. */
export interface Authority extends Identity {
  /** @param names as in subjectAltName: `DNS:store.example.test`, `IP:::1` */
  sign(name: string, names?: readonly string[]): Identity;
}

/** @param folder where the files go */
export function makeAuthority(folder: string): Authority {
  const openssl = (...options: string[]) => execFileSync('openssl', options, { cwd: folder, stdio: 'pipe' });
  const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const identity = (name: string): Identity => {
    const certificateFile = join(folder, `${name}.pem`);
    const keyFile = join(folder, `${name}.key`);
    const [certificate, key] = [readFileSync(certificateFile, 'utf8'), readFileSync(keyFile, 'utf8')];
    return { certificateFile, keyFile, certificate, key };
  };
  const authority = ['-x509', ...newKey, '-days', '2', '-subj', '/CN=an authority of a test'];
  openssl('req', ...authority, '-keyout', 'authority.key', '-out', 'authority.pem');
  return {
    ...identity('authority'),
    sign(name, names = []) {
      openssl('req', ...newKey, '-subj', `/CN=${name}`, '-keyout', `${name}.key`, '-out', `${name}.csr`);
      const extensions = names.length === 0 ? '' : `subjectAltName=${names.join(',')}\n`;
      writeFileSync(join(folder, `${name}.ext`), `basicConstraints=CA:FALSE\n${extensions}`);
      const by = ['-CA', 'authority.pem', '-CAkey', 'authority.key', '-CAcreateserial', '-days', '2'];
      openssl('x509', '-req', '-in', `${name}.csr`, ...by, '-extfile', `${name}.ext`, '-out', `${name}.pem`);
      return identity(name);
    },
  };
}
