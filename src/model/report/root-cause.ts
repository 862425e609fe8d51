/** How every operation can fail in the same way. */
export type AlikeKind = 'transport' | 'redirect' | 'status' | 'page';

/** Why every operation fails in the same way. */
export interface RootCause {
  /** `headers`: every response lacks the same required headers. */
  kind: AlikeKind | 'headers';
  statement: string;
  /** The first line of the body that has any text. */
  firstLine?: string;
  /** Ids of the exchanges that show it: the first one of each operation. */
  evidence: readonly number[];
  /** Ids of the requirements whose findings follow from it. */
  requirements: readonly string[];
}
