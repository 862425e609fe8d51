/** How every request can fail in the same manner. */
export type SameFailureKind = 'transport' | 'redirect' | 'status' | 'page';

/** Why every operation fails in the same manner, and the findings that have no other reason. */
export interface RootCause {
  /** `headers`: the same required headers are absent everywhere. */
  kind: SameFailureKind | 'headers';
  statement: string;
  /** The first line of the body that has words. */
  firstLine?: string | undefined;
  /** Ids of the exchanges that show it: the first one of each operation. */
  evidence: readonly number[];
  /** Ids of the requirements whose findings follow from it. */
  requirements: readonly string[];
}
