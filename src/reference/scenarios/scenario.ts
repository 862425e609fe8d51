import type { Change } from '../changes/change.ts';

/** What a scenario may depend on. */
export interface ScenarioSurroundings {
  /** How long a refusal lasts, and a long one: ms, whole seconds. */
  waits: { short: number; long: number };
  /** An origin that is not the service's. */
  foreignOrigin: string;
}

/** A situation that a client meets: the reference, with something that happens to its clients. */
export interface Scenario {
  id: string;
  /** One line: what the client meets. */
  summary: string;
  changes: (surroundings: ScenarioSurroundings) => readonly Change[];
}

/** How long a refusal lasts unless somebody asks for other waits. */
export const WAITS: ScenarioSurroundings['waits'] = { short: 2_000, long: 35_000 };
