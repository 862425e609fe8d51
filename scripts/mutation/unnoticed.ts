import type { MutantResult } from '@stryker-mutator/api/core';

/** Whether no test notices a change, and one should. */
export function isUnnoticed(result: MutantResult): boolean {
  return (result.status === 'Survived' || result.status === 'NoCoverage') && !isUnreachedDefault(result);
}

/** What Stryker puts in the place of an empty list and of an empty text. */
const INSTEAD_OF_EMPTY = ['["Stryker was here"]', '"Stryker was here!"'];

/**
 * Whether a change is one to an empty default that no test reaches, such as that of `list[0] ?? ''`: the compiler asks for it, as it
 * does not know that there is a value.
 */
export function isUnreachedDefault({ status, replacement = '' }: MutantResult): boolean {
  return status === 'NoCoverage' && INSTEAD_OF_EMPTY.includes(replacement);
}
