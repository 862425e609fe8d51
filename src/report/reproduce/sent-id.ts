import { lateValuesIn } from '../../model/probe.ts';
import { variable } from './command.ts';
import { fieldOf, type Run, type Step } from './steps.ts';

/**
 * The steps, if the body of the last one has the id of a record that the run created: it gets the id of a record that an
 * earlier step creates instead. Without such a step, or with the id in several places, the steps stay as they are.
 */
export function withNewId(steps: readonly Step[], { probes, requests }: Run): readonly Step[] {
  const last = steps.at(-1);
  const body = last?.request.requestBody;
  if (!last || body === undefined || steps.some(({ gives }) => gives)) return steps;
  const sources = lateValuesIn(probes.get(last.request.probe)?.body).flatMap((late) =>
    late.late === 'response' ? late.sources : [],
  );
  const given = requests
    .all()
    .flatMap((each) =>
      sources.flatMap(({ probe, pointer }) => (each.probe === probe ? (each.values.get(pointer) ?? []) : [])),
    );
  const sent = given.find((value) => body.match(wholly(value))?.length === 1);
  const creator = steps.find(({ request }) => sources.some(({ probe }) => probe === request.probe));
  const source = sources.find(({ probe }) => probe === creator?.request.probe);
  if (sent === undefined || !source) return steps;
  const requestBody = body.replace(wholly(sent), () => variable('id'));
  return steps.map((each) => {
    if (each === creator) return { ...each, gives: { name: 'id', field: fieldOf(source.pointer) } };
    return each === last ? { ...each, request: { ...each.request, requestBody } } : each;
  });
}

/** A number or a word by itself, in every place. */
function wholly(value: string): RegExp {
  return new RegExp(`(?<![\\w.-])${value.replace(/[^\w-]/g, '\\$&')}(?![\\w.-])`, 'g');
}
