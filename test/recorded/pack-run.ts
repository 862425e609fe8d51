import type { Exchange, HeaderLine, Received } from '../../src/model/exchange.ts';
import type { Outcome } from '../../src/run/judging/judge-outcome.ts';

/** Runs have most of their text in common: each text is kept once, and referred to by its number. */
export type TextNumber = number;

/** What came of a run, with the numbers of its texts in place of them. */
export interface PackedRun {
  outcome: Omit<Outcome, 'exchanges'>;
  exchanges: readonly PackedExchange[];
}
type PackedExchange = readonly [
  sentAt: number,
  receivedAt: number,
  rest: TextNumber,
  response?: PackedResponse,
];
type PackedResponse = readonly [rest: TextNumber, body: TextNumber, headers: readonly TextNumber[]];

/** Texts in the order in which they were first met. */
export class Texts {
  readonly #numbers = new Map<string, TextNumber>();

  get all(): string[] {
    return [...this.#numbers.keys()];
  }

  numberOf(text: string): TextNumber {
    const number = this.#numbers.get(text) ?? this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }
}

/** Packs what came of a run; its texts join the others. */
export function packRun({ exchanges, ...outcome }: Outcome, texts: Texts): PackedRun {
  const numberOf = (value: unknown) => texts.numberOf(JSON.stringify(value));
  const packResponse = ({ body, headers, ...rest }: Received): PackedResponse => [
    numberOf(rest),
    numberOf(body),
    headers.map(numberOf),
  ];
  return {
    outcome,
    exchanges: exchanges.map(({ sentAt, receivedAt, response, ...rest }): PackedExchange => {
      const number = numberOf(rest);
      return response ? [sentAt, receivedAt, number, packResponse(response)] : [sentAt, receivedAt, number];
    }),
  };
}

/** Makes a function that unpacks runs with these texts. Equal parts of them are the same objects. */
export function unpacking(texts: readonly string[]): (packed: PackedRun) => Outcome {
  const values = new Map<TextNumber, unknown>();
  const valueAt = <Value>(number: TextNumber): Value => {
    const value = values.get(number) ?? JSON.parse(texts[number] ?? '');
    values.set(number, value);
    return value as Value;
  };
  const responseOf = ([rest, body, headers]: PackedResponse): Received => ({
    ...valueAt<Omit<Received, 'body' | 'headers'>>(rest),
    body: valueAt<string>(body),
    headers: headers.map((number) => valueAt<HeaderLine>(number)),
  });
  const exchangeOf = ([sentAt, receivedAt, rest, response]: PackedExchange): Exchange => ({
    ...valueAt<Omit<Exchange, 'sentAt' | 'receivedAt' | 'response'>>(rest),
    sentAt,
    receivedAt,
    ...(response ? { response: responseOf(response) } : {}),
  });
  return ({ outcome, exchanges }) => ({ ...outcome, exchanges: exchanges.map(exchangeOf) });
}
