import { lateValuesIn, type Probe } from '../../model/probe.ts';
import { type Circumstances, type Inconclusive, inconclusiveOf, isAnswered, type Judged } from '../judged.ts';
import { isAbsent } from './status.ts';

/** Why a wrong status says nothing by itself: one of its controls is to blame. */
export function explainedBy(
  probe: Probe,
  status: number,
  controls: readonly Judged[],
): Inconclusive | undefined {
  // A wrong key is to be refused whatever else is wrong; but an operation that is not there can refuse no key.
  const failing = controls.find((control) =>
    probe.key === 'valid'
      ? !isAnswered(control)
      : isRight(control.probe) && control.exchange.response?.status === status && isBroken(status),
  );
  return failing && inconclusiveAfter(failing);
}

/** Whether a request has nothing wrong with it. */
function isRight({ key, validity }: Probe): boolean {
  return key === 'valid' && validity !== 'invalid';
}

/** The control without which a refusal that conforms says nothing. */
export function failingControl(probe: Probe, controls: readonly Judged[]): Judged | undefined {
  const isLenient = probe.validity !== 'valid' || probe.acceptable.length > 1;
  return probe.key === 'valid' && isLenient ? controls.find((control) => !isAnswered(control)) : undefined;
}

/** Why an exchange says nothing: what its control was answered. */
export function inconclusiveAfter(control: Judged): Inconclusive {
  const { deviations, probe, exchange } = control;
  const inconclusive = inconclusiveOf(control);
  const cause = deviations[0]?.requirement ?? inconclusive?.cause;
  const reason = inconclusive?.reason ?? `"${probe.title}" is not answered as documented`;
  return { reason, control: exchange.id, ...(cause === undefined ? {} : { cause }) };
}

/** Whether an operation is not there, or cannot do its work. */
function isBroken(status: number): boolean {
  return isAbsent(status) || status >= 500;
}

export const GUESSED: Inconclusive = {
  reason:
    'the listing shows no category, and the one that was guessed was refused: name one with --category-id',
};

/** Whether a service refused a reference (such as a category) that petspec had to guess: it may not exist. */
export function isGuessRefused(probe: Probe, status: number, { referencesKnown }: Circumstances): boolean {
  return !referencesKnown && status === 400 && sendsReference(probe);
}

/** Whether a valid request sends a reference to something that petspec cannot see. */
export function sendsReference({ validity, body }: Probe): boolean {
  return validity === 'valid' && lateValuesIn(body).some(({ late }) => late === 'reference');
}
