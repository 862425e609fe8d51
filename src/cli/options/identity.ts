import { attestedBy, jsonValues, NoSigstore, type WantedIdentity } from '../../certificate/identity.ts';
import { UsageError } from '../../model/usage-error.ts';
import { readNamed } from './named-file.ts';

interface IdentityFlags {
  identity?: string;
  trustedRoot?: string;
  repository?: string;
}

/** What is said if one of the three options is missing. */
const TOGETHER = '--identity, --trusted-root and --repository belong together';

/**
 * The workflow that attested a file, and the repository whose workflow that must be; undefined if the options ask for none.
 * @throws UsageError if one of the options is missing, a file is not what it should be, or the packages are not installed
 */
export async function wantedIdentity(
  file: Uint8Array,
  { identity, trustedRoot, repository }: IdentityFlags,
): Promise<WantedIdentity | undefined> {
  const given = [identity, trustedRoot, repository];
  if (given.every((each) => each === undefined)) return undefined;
  if (identity === undefined || trustedRoot === undefined || repository === undefined)
    throw new UsageError(`${TOGETHER}; gh attestation trusted-root prints the root of GitHub`);
  const bundles = valuesIn('--identity', identity, 'a Sigstore bundle');
  const roots = valuesIn('--trusted-root', trustedRoot, 'a trusted root of Sigstore');
  try {
    return { repository, attested: await attestedBy(file, bundles, roots) };
  } catch (error) {
    if (!(error instanceof NoSigstore)) throw error;
    throw new UsageError(`--identity: ${error.message}; install them with npm install`);
  }
}

function valuesIn(option: string, path: string, what: string): unknown[] {
  const values = jsonValues(readNamed(option, path));
  if (values) return values;
  throw new UsageError(`${option}: ${path} is not ${what}; expected JSON, or JSON on each line`);
}
