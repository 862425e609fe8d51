import type { BaselineEntry } from '../baseline/baseline.ts';
import type { Requirement } from '../model/contract.ts';
import { shown } from '../model/visible.ts';
import { type ClassifiedChange, type InterfaceChanges, isBreaking, type OperationName } from './changes.ts';
import { type ChangeEvidence, outcomeOf } from './evidence.ts';

/** The changes as `--json` prints them. */
export function changesData(changes: InterfaceChanges, asOf: string | undefined) {
  const { service, clients, gone, removed } = changes;
  const ofParty = (party: 'service' | 'client') => (change: ClassifiedChange) => changeData(change, party);
  const named = ({ id, method, path }: OperationName) => ({ id, method, path });
  return {
    asOf,
    breaks: isBreaking(changes),
    changes: [...service.map(ofParty('service')), ...clients.map(ofParty('client'))],
    operations: {
      gone: gone.map(named),
      removed: removed.map((operation) => ({ ...named(operation), removal: operation.removal })),
    },
  };
}

function changeData(
  { id, change, breaks, before, after, isRequired }: ClassifiedChange,
  party: 'service' | 'client',
) {
  const side = (requirement: Requirement | undefined) =>
    requirement && { level: requirement.level, statement: requirement.statement };
  return {
    id,
    party,
    change,
    breaks,
    required: isRequired,
    section: (after ?? before)?.section,
    before: side(before),
    after: side(after),
  };
}

/** The evidence of a file as `--json` prints it. */
export function evidenceData(evidence: ChangeEvidence) {
  const { name: file, kind, ...rest } = evidence;
  const outcome = outcomeOf(evidence);
  if (evidence.kind !== 'baseline') return shown({ file, kind, outcome, ...rest });
  const entries = (selected: readonly BaselineEntry[]) =>
    selected.map(({ requirement, line, lastLine }) => ({ requirement, line, lastLine }));
  const { void: none, looser, tighter, unknown } = evidence;
  return shown({
    ...{ file, kind, outcome, entries: evidence.entries, unknown },
    ...{ void: entries(none), looser: entries(looser), tighter: entries(tighter) },
  });
}
