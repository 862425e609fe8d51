import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { UsageError } from '../../run/options.ts';
import type { Network } from '../../session/http/connect.ts';

/** The options that name files of certificates. */
export interface CertificateFlags {
  ca?: string;
  clientCert?: string;
  clientKey?: string;
}

const CERTIFICATE =
  /-----BEGIN (?:X509 |TRUSTED )?CERTIFICATE-----[^-]*-----END (?:X509 |TRUSTED )?CERTIFICATE-----/g;

/**
 * Reads certificates and the key of a client certificate, and makes sure that they are what they are taken for.
 * @throws UsageError with one line: which file, what is wrong with it, what to do
 */
export function certificatesOf({
  ca,
  clientCert,
  clientKey,
}: CertificateFlags): Pick<Network, 'ca' | 'client'> {
  if (clientKey !== undefined && clientCert === undefined)
    throw new UsageError('--client-key goes with --client-cert, the certificate of that key');
  return {
    ...(ca === undefined ? {} : { ca: certificates(ca, '--ca').map(String).join('') }),
    ...(clientCert === undefined ? {} : { client: clientOf(clientCert, clientKey) }),
  };
}

function clientOf(clientCert: string, clientKey: string | undefined): NonNullable<Network['client']> {
  const [certificate, ...chain] = certificates(clientCert, '--client-cert');
  const [option, file] =
    clientKey === undefined ? ['--client-cert', clientCert] : ['--client-key', clientKey];
  const key = textOf(file, option);
  if (!key.includes('PRIVATE KEY-----'))
    throw new UsageError(
      `${option} ${file}: holds no private key in PEM${clientKey === undefined ? '; --client-key names a file that does' : ''}`,
    );
  const isOfKey = certificate?.checkPrivateKey(privateKey(key, `${option} ${file}`));
  if (!isOfKey) throw new UsageError(`${option} ${file}: is not the key of the certificate in ${clientCert}`);
  return { certificate: [certificate, ...chain].map(String).join(''), key };
}

function privateKey(text: string, where: string) {
  try {
    return createPrivateKey(text);
  } catch {
    throw new UsageError(
      /^(?:Proc-Type: 4,ENCRYPTED|-----BEGIN ENCRYPTED PRIVATE KEY-----)/m.test(text)
        ? `${where}: is encrypted, and petspec asks for no passphrase: openssl pkey -in <file> -out <file> decrypts it`
        : `${where}: its private key cannot be read`,
    );
  }
}

/** At least one. */
function certificates(file: string, option: string): X509Certificate[] {
  const found = textOf(file, option).match(CERTIFICATE) ?? [];
  if (found.length === 0)
    throw new UsageError(`${option} ${file}: holds no certificate in PEM (-----BEGIN CERTIFICATE-----)`);
  return found.map((text, index) => {
    try {
      return new X509Certificate(text);
    } catch {
      throw new UsageError(`${option} ${file}: certificate ${index + 1} in it cannot be read`);
    }
  });
}

function textOf(file: string, option: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const why = error instanceof Error && 'code' in error ? error.code : error;
    throw new UsageError(`${option} ${file}: cannot be read (${why})`);
  }
}
