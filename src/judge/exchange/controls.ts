import { lateValuesIn, type Probe } from '../../model/probe.ts';
import { type Circumstances, type Inconclusive, inconclusiveOf, isAnswered, type Judged } from '../judged.ts';
import { isAbsent, mayRejectAnyhow } from './status.ts';

/** Why a wrong status says nothing: one of its controls did not get the response it should. */
export function explainedBy(
  probe: Probe,
  status: number,
  controls: readonly Judged[],
): Inconclusive | undefined {
  // A wrong key should always be refused, but an operation that does not exist cannot refuse it.
  const failing = controls.find((control) =>
    probe.key === 'valid'
      ? !isAnswered(control)
      : isRight(control.probe) && control.exchange.response?.status === status && isBroken(status),
  );
  return failing && inconclusiveAfter(failing);
}

/** Whether nothing is wrong with a request. */
function isRight({ key, validity }: Probe): boolean {
  return key === 'valid' && validity !== 'invalid';
}

/** The control that did not get the response it should, so that a conforming refusal says nothing. */
export function failingControl(probe: Probe, controls: readonly Judged[]): Judged | undefined {
  // An operation that refuses the right key as well shows nothing of wrong ones.
  if (mayRejectAnyhow(probe)) return controls.find((each) => isRight(each.probe) && !isAnswered(each));
  const isLenient = probe.validity !== 'valid' || probe.acceptable.length > 1;
  return probe.key === 'valid' && isLenient ? controls.find((control) => !isAnswered(control)) : undefined;
}

/** Why an exchange says nothing: the response to its control. */
export function inconclusiveAfter(control: Judged): Inconclusive {
  const { deviations, probe, exchange } = control;
  const inconclusive = inconclusiveOf(control);
  const cause = deviations[0]?.requirement ?? inconclusive?.cause;
  const reason = inconclusive?.reason ?? `"${probe.title}" did not get a documented response`;
  return { reason, control: exchange.id, ...(cause === undefined ? {} : { cause }) };
}

/** Whether a status says that an operation does not exist or does not work. */
function isBroken(status: number): boolean {
  return isAbsent(status) || status >= 500;
}

export const GUESSED: Inconclusive = {
  reason:
    'the list shows no category, and the service refused the one that petspec guessed; name one with --category-id',
};

/** Whether a service refused a reference (such as a category) that petspec had to guess: it may not exist. */
export function isGuessRefused(probe: Probe, status: number, { referencesKnown }: Circumstances): boolean {
  return !referencesKnown && status === 400 && sendsReference(probe);
}

/** Whether a valid request sends a reference to something that petspec cannot see. */
export function sendsReference({ validity, body }: Probe): boolean {
  return validity === 'valid' && lateValuesIn(body).some(({ late }) => late === 'reference');
}
