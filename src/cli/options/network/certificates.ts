import { createPrivateKey, X509Certificate } from 'node:crypto';
import type { TargetSettings } from '../../../config/config.ts';
import { UsageError } from '../../../model/usage-error.ts';
import type { Network } from '../../../session/http/connect.ts';
import { readText } from '../named-file.ts';

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
    ...(ca === undefined
      ? {}
      : { ca: certificatesIn(readText('--ca', ca), ca, '--ca').map(String).join('') }),
    ...(clientCert === undefined ? {} : { client: pairOf('client', clientCert, clientKey) }),
  };
}

/**
 * Reads and checks the certificate of a server, and its key.
 * @throws UsageError with one line
 */
export function serverCertificate({
  tlsCert,
  tlsKey,
}: {
  tlsCert?: string | undefined;
  tlsKey?: string | undefined;
}): CertificateAndKey | undefined {
  if (tlsKey !== undefined && tlsCert === undefined)
    throw new UsageError('--tls-key: no certificate; name it with --tls-cert');
  return tlsCert === undefined ? undefined : pairOf('tls', tlsCert, tlsKey);
}

/** A certificate with its chain, and its key (PEM). */
type CertificateAndKey = NonNullable<Network['client']>;

function pairOf(kind: 'client' | 'tls', certFile: string, keyFile: string | undefined): CertificateAndKey {
  const text = readText(`--${kind}-cert`, certFile);
  const [certificate, ...chain] = certificatesIn(text, certFile, `--${kind}-cert`);
  const [option, file] = keyFile === undefined ? [`--${kind}-cert`, certFile] : [`--${kind}-key`, keyFile];
  // A file with both is read once: it may be a pipe.
  const key = keyFile === undefined ? text : readText(option, keyFile);
  if (!key.includes('PRIVATE KEY-----'))
    throw new UsageError(
      `${option}: no private key (PEM) in '${file}'${keyFile === undefined ? `; name its file with --${kind}-key` : ''}`,
    );
  const isOfKey = certificate?.checkPrivateKey(privateKey(key, option, file));
  if (!isOfKey)
    throw new UsageError(`${option}: the key in '${file}' does not match the certificate in '${certFile}'`);
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

/** The certificates in the text of a file, at least one. */
function certificatesIn(text: string, file: string, option: string): X509Certificate[] {
  const blocks = text.match(CERTIFICATE) ?? [];
  if (blocks.length === 0) throw new UsageError(`${option}: no certificate (PEM) in '${file}'`);
  return blocks.map((block, index) => {
    try {
      return new X509Certificate(block);
    } catch {
      throw new UsageError(`${option}: certificate ${index + 1} in '${file}' is not valid`);
    }
  });
}
