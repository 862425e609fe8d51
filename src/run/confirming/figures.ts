/** What a response says of the limit: to a request with the key, to one address. */
export interface ResponseFigures {
  status?: number | undefined;
  limit?: number;
  remaining?: number;
  reset?: number;
}

type Shows = (figures: readonly ResponseFigures[]) => boolean;

const isRefused = ({ status }: ResponseFigures) => status === 429;
const isOther = (values: readonly (number | undefined)[]) => new Set(values).size > 1;

/** How much too many remain after each request that is let through, if each takes one of the limit. */
function surpluses(figures: readonly ResponseFigures[]): number[] {
  const limit = figures[0]?.limit ?? 0;
  return figures
    .filter((each) => !isRefused(each))
    .map(({ remaining }, index) => (remaining ?? Number.NaN) - (limit - index - 1));
}

/** How figures in a row, of one window that was unused, contradict a requirement to anybody's eyes. */
export const CONTRADICTS: Readonly<Record<string, Shows>> = {
  'rate-limit.constant': (figures) => isOther(figures.map(({ limit }) => limit)),
  'rate-limit.reset': (figures) => isOther(figures.map(({ reset }) => reset)),
  'rate-limit.count': (figures) => surpluses(figures).some((surplus) => surplus !== 0),
  'rate-limit.falls': (figures) =>
    figures.some(
      ({ remaining }, index) => index > 0 && !((remaining ?? 0) < (figures[index - 1]?.remaining ?? 0)),
    ),
  TooManyRequests: (figures) =>
    surpluses(figures).some((surplus) => surplus > 0) ||
    figures.some(({ status }) => status === undefined || status >= 500),
  'rate-limit.early': (figures) => {
    const refused = figures.findIndex(isRefused);
    return refused >= 0 && (refused < (figures[0]?.limit ?? 0) || figures[refused]?.remaining !== 0);
  },
};
