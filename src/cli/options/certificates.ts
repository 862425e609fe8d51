import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TargetSettings } from '../../config/config.ts';
import { UsageError } from '../../run/options.ts';
import type { Network } from '../../session/http/connect.ts';
import { readText } from './named-file.ts';

/** The options that name certificate files. */
export type CertificateFlags = Pick<TargetSettings, 'ca' | 'clientCert' | 'clientKey'>;

const CERTIFICATE =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/**
 * Reads and checks the CA certificates, the client certificate and its key.
 * @throws UsageError with one line
 */
export function certificatesOf({
  ca,
  clientCert,
  clientKey,
}: CertificateFlags): Pick<Network, 'ca' | 'client'> {
  if (clientKey !== undefined && clientCert === undefined)
    throw new UsageError('--client-key: no client certificate; name it with --client-cert');
  return {
    ...(ca === undefined ? {} : { ca: certificates(ca, '--ca').map(String).join('') }),
    ...(clientCert === undefined ? {} : { client: clientOf(clientCert, clientKey) }),
  };
}

function clientOf(clientCert: string, clientKey: string | undefined): NonNullable<Network['client']> {
  const [certificate, ...chain] = certificates(clientCert, '--client-cert');
  const [option, file] =
    clientKey === undefined ? ['--client-cert', clientCert] : ['--client-key', clientKey];
  const key = readText(option, file);
  if (!key.includes('PRIVATE KEY-----'))
    throw new UsageError(
      `${option}: no private key (PEM) in '${file}'${clientKey === undefined ? '; name its file with --client-key' : ''}`,
    );
  const isOfKey = certificate?.checkPrivateKey(privateKey(key, option, file));
  if (!isOfKey)
    throw new UsageError(`${option}: the key in '${file}' does not match the certificate in '${clientCert}'`);
  return { certificate: [certificate, ...chain].map(String).join(''), key };
}

function privateKey(text: string, option: string, file: string) {
  try {
    return createPrivateKey(text);
  } catch {
    throw new UsageError(
      /^(?:Proc-Type: 4,ENCRYPTED|-----BEGIN ENCRYPTED PRIVATE KEY-----)/m.test(text)
        ? `${option}: the private key in '${file}' is encrypted, which petspec does not support; decrypt it with openssl pkey -in <file> -out <file>`
        : `${option}: the private key in '${file}' is not valid`,
    );
  }
}

/** The certificates in a file, at least one. */
function certificates(file: string, option: string): X509Certificate[] {
  const found = readText(option, file).match(CERTIFICATE) ?? [];
  if (found.length === 0) throw new UsageError(`${option}: no certificate (PEM) in '${file}'`);
  return found.map((text, index) => {
    try {
      return new X509Certificate(text);
    } catch {
      throw new UsageError(`${option}: certificate ${index + 1} in '${file}' is not valid`);
    }
  });
}
