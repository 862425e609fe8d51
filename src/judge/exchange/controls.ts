import { isSuccess } from '../../model/exchange.ts';
import { statusesOf } from '../../model/http/expectation.ts';
import { type Late, lateValuesIn, type Probe } from '../../model/probe.ts';
import {
  type Circumstances,
  type Inconclusive,
  inconclusiveOf,
  isAnswered,
  type Judged,
} from '../evidence/judged.ts';
import { isAbsent } from './status.ts';

/** Why a wrong status is inconclusive: a control did not get the expected response. */
export function explainedBy(
  probe: Probe,
  status: number,
  controls: readonly Judged[],
): Inconclusive | undefined {
  // A wrong key should always be refused, but an operation that does not exist cannot refuse it.
  const failing = controls.find((control) =>
    probe.key === 'valid'
      ? !isAnswered(control) && mayCause(control, status)
      : isRight(control.probe) && control.exchange.response?.status === status && isBroken(status),
  );
  return failing && inconclusiveAfter(failing);
}

/** Whether the response to a control may explain a wrong status. A refused control does not explain a 5xx. */
function mayCause(control: Judged, status: number): boolean {
  return status < 500 || inconclusiveAfter(control).cause !== undefined;
}

/** Whether nothing is wrong with a request. */
function isRight({ key, validity }: Probe): boolean {
  return key === 'valid' && validity !== 'invalid';
}

/** The control that did not get the expected response, so that a conforming refusal is inconclusive. */
export function failingControl(probe: Probe, controls: readonly Judged[]): Judged | undefined {
  // If an operation refuses the right key too, its refusals of wrong keys show nothing.
  if (probe.expectation.kind === 'some-refusal')
    return controls.find((control) => isRight(control.probe) && !isAnswered(control));
  const isLenient = probe.validity !== 'valid' || probe.expectation.kind === 'either';
  const isFailing = (control: Judged) => !isAnswered(control) && !hasOtherSuccess(control);
  return probe.key === 'valid' && isLenient ? controls.find(isFailing) : undefined;
}

/** A control that succeeded with the wrong status is no reason to refuse a request that differs from it. */
function hasOtherSuccess({ probe, exchange }: Judged): boolean {
  return isSuccess(exchange) && statusesOf(probe.expectation).some((status) => status.startsWith('2'));
}

/** Why an exchange is inconclusive: the response to its control. */
export function inconclusiveAfter(control: Judged): Inconclusive {
  const { deviations, probe, exchange } = control;
  const inconclusive = inconclusiveOf(control);
  const cause = deviations[0]?.requirement ?? inconclusive?.cause;
  const reason = inconclusive?.reason ?? `"${probe.title}" did not get a documented response`;
  return { reason, control: exchange.id, cause };
}

/** Whether a status says that an operation does not exist or does not work. */
function isBroken(status: number): boolean {
  return isAbsent(status) || status >= 500;
}

/** Why the refusal of a guessed reference is inconclusive. */
export function guessedIn(probe: Probe, { referenceOption }: Circumstances): Inconclusive {
  const names = [...new Set(referencesIn(probe).map(({ name }) => name))].join(' and ');
  const advice = referenceOption === undefined ? '' : `; name one with ${referenceOption}`;
  return {
    reason: `the list shows no ${names}, and the service refused the one that petspec guessed${advice}`,
  };
}

/** Whether a service refused a reference (such as a category) that petspec had to guess: it may not exist. */
export function isGuessRefused(probe: Probe, status: number, { referencesKnown }: Circumstances): boolean {
  return !referencesKnown && status === 400 && sendsReference(probe);
}

/** Whether a valid request sends a reference to something that petspec cannot see. */
export function sendsReference(probe: Probe): boolean {
  return probe.validity === 'valid' && referencesIn(probe).length > 0;
}

function referencesIn({ body }: Probe): Extract<Late, { late: 'reference' }>[] {
  return lateValuesIn(body).filter((value) => value.late === 'reference');
}

/**
 * Judges refusals of parameters in a document that does not say which parameters belong together, such as a latitude and a
 * longitude. If no value of a parameter is accepted without other parameters, a refused value says nothing about its bounds.
 */
export function attributeToOthers(judged: readonly Judged[]): Judged[] {
  const accepted = new Set(judged.filter(({ exchange }) => isSuccess(exchange)).map(parameterOf));
  // If an operation has a single parameter, that parameter needs no other.
  const several = new Set(
    judged
      .filter(({ probe, operation }) => probe.id === `${operation.id}:all-parameters`)
      .map(({ operation }) => operation.id),
  );
  return judged.map((result) => {
    const { probe, operation, exchange, outcome } = result;
    const name = parameterOf(result);
    if (name === undefined || accepted.has(name) || !several.has(operation.id)) return result;
    const status = exchange.response?.status;
    if (outcome === 'answered' || (status !== 400 && status !== 422)) return result;
    const reason = `no value of ${probe.parameter} was accepted without other parameters`;
    return {
      ...result,
      outcome: 'inconclusive',
      inconclusive: { reason },
      deviations: [],
      hidden: [...result.deviations, ...result.hidden],
    };
  });
}

/** The parameter that a request has in addition to the plainest one, with its operation. */
function parameterOf({ probe, operation }: Judged): string | undefined {
  return probe.parameter === undefined ? undefined : `${operation.id} ${probe.parameter}`;
}
