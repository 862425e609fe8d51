import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto';
import {
  AUTHORITY,
  alternativeNames,
  certificateOf,
  IS_AUTHORITY,
  IS_NO_AUTHORITY,
  newKey,
} from './certificates.ts';
import { der, identifier, octets, sequence } from './der.ts';

/** What a test says of an attestation; the rest is that of a workflow of example/store. */
export interface Attested {
  issuer?: string;
  workflow?: string;
  repository?: string;
  predicateType?: string;
  /** Who signs the certificate of the workflow, in place of the authority that is trusted. */
  authority?: KeyObject;
  /** Who signs that the log has the entry, in place of the log that is trusted. */
  log?: KeyObject;
  /** The bytes that the statement names, in place of the file. */
  about?: Buffer;
}

/** An authority and a log, made anew for each test file. */
const authority = newKey();
const log = newKey();

const bytesOf = (pem: string) => Buffer.from(pem.replaceAll(/-----[^-]*-----|\s/g, ''), 'base64');
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64');
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest();
const publicOf = (key: KeyObject) => createPublicKey(key).export({ type: 'spki', format: 'der' });

/** The extension 1.3.6.1.4.1.57264.1.x of certificates of Fulcio. */
const fulcio = (last: number, text: string) =>
  sequence(
    identifier(`2b0601040183bf3001${last.toString(16).padStart(2, '0')}`),
    octets(der(0x0c, Buffer.from(text))),
  );

/** The file of trusted roots. */
export const trustedRoot = {
  mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
  tlogs: [
    {
      baseUrl: 'https://log.example.test',
      hashAlgorithm: 'SHA2_256',
      publicKey: {
        rawBytes: base64(publicOf(log)),
        keyDetails: 'PKIX_ECDSA_P256_SHA_256',
        validFor: { start: '2026-01-01T00:00:00Z' },
      },
      logId: { keyId: base64(sha256(publicOf(log))) },
    },
  ],
  certificateAuthorities: [
    {
      subject: { organization: 'a test', commonName: AUTHORITY },
      uri: 'https://authority.example.test',
      certChain: {
        certificates: [
          { rawBytes: base64(bytesOf(certificateOf(authority, AUTHORITY, [IS_AUTHORITY], authority))) },
        ],
      },
      validFor: { start: '2026-01-01T00:00:00Z' },
    },
  ],
  ctlogs: [],
  timestampAuthorities: [],
};

/** A Sigstore bundle with which a workflow attests a file, as GitHub Actions writes it. */
export function attestationOf(file: Buffer, said: Attested = {}) {
  const repository = said.repository ?? 'https://github.com/example/store';
  const workflow = said.workflow ?? `${repository}/.github/workflows/certify.yml@refs/heads/main`;
  const key = newKey();
  const extensions = [
    IS_NO_AUTHORITY,
    alternativeNames([`URI:${workflow}`]),
    fulcio(8, said.issuer ?? 'https://token.actions.githubusercontent.com'),
    fulcio(11, 'github-hosted'),
    fulcio(12, repository),
    fulcio(13, 'c0ffee'.padEnd(40, '0')),
    fulcio(14, 'refs/heads/main'),
  ];
  const leaf = bytesOf(certificateOf(key, 'a workflow', extensions, said.authority ?? authority));
  const payload = Buffer.from(
    JSON.stringify({
      _type: 'https://in-toto.io/Statement/v1',
      subject: [{ name: 'certificate.json', digest: { sha256: sha256(said.about ?? file).toString('hex') } }],
      predicateType: said.predicateType ?? 'https://slsa.dev/provenance/v1',
      predicate: {},
    }),
  );
  const payloadType = 'application/vnd.in-toto+json';
  const encoded = Buffer.concat([
    Buffer.from(`DSSEv1 ${payloadType.length} ${payloadType} ${payload.length} `),
    payload,
  ]);
  const sig = base64(sign('sha256', encoded, key));
  return {
    mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
    verificationMaterial: {
      x509CertificateChain: { certificates: [{ rawBytes: base64(leaf) }] },
      tlogEntries: [entryOf(payload, sig, said.log ?? log)],
    },
    dsseEnvelope: { payloadType, payload: base64(payload), signatures: [{ sig, keyid: '' }] },
  };
}

/** The entry of a log, which promises to keep it (Rekor v1). */
function entryOf(payload: Buffer, signature: string, key: KeyObject) {
  const body = base64(
    Buffer.from(
      JSON.stringify({
        apiVersion: '0.0.1',
        kind: 'dsse',
        spec: {
          payloadHash: { algorithm: 'sha256', value: sha256(payload).toString('hex') },
          signatures: [{ signature, verifier: '' }],
        },
      }),
    ),
  );
  const integratedTime = Math.floor(Date.now() / 1000);
  const logID = sha256(publicOf(log));
  const promised = JSON.stringify({ body, integratedTime, logID: logID.toString('hex'), logIndex: 7 });
  return {
    logIndex: '7',
    logId: { keyId: base64(logID) },
    kindVersion: { kind: 'dsse', version: '0.0.1' },
    integratedTime: String(integratedTime),
    inclusionPromise: { signedEntryTimestamp: base64(sign('sha256', Buffer.from(promised), key)) },
    canonicalizedBody: body,
  };
}
