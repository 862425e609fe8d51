/** How much of a line waits for its end, in characters. */
const MOST_HELD = 64 * 1024;

/** Takes what a client prints, as it arrives. */
export interface PrintedText {
  add(text: string): void;
  /** Nothing more is printed. */
  end(): void;
}

/**
 * Passes on what a client prints, without the key, even if one half of the key arrives after the other.
 * @param onOutput gets whole lines, and of a line longer than 64 Ki characters its parts
 */
export function printedText(apiKey: string, onOutput: (text: string) => void): PrintedText {
  let held = '';
  const passOn = (length: number) => {
    if (length > 0) onOutput(held.slice(0, length));
    held = held.slice(length);
  };
  return {
    add(text) {
      held = (held + text).replaceAll(apiKey, '[key]');
      passOn(held.lastIndexOf('\n') + 1);
      if (held.length > MOST_HELD) passOn(held.length - apiKey.length);
    },
    end: () => passOn(held.length),
  };
}
