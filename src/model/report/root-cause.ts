/** A way in which everything that was asked can fail in the same manner. */
export type AlikeKind = 'transport' | 'redirect' | 'status' | 'page';

/** Why every operation fails alike, and what is found for no other reason. */
export interface RootCause {
  /** `headers`: the same required headers are absent everywhere. */
  kind: AlikeKind | 'headers';
  statement: string;
  /** The first line of the body that says something. */
  firstLine?: string;
  /** Ids of exchanges that show it: the first of each operation. */
  evidence: readonly number[];
  /** Findings that follow from it. */
  requirements: readonly string[];
}
