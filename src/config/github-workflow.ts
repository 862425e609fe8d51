import { type CiTarget, INSTALL, NODE, PETSPEC, requirePetspec, scalar, shareKeys } from './ci-target.ts';

/** The path of the workflow. */
export const GITHUB_FILE = '.github/workflows/petspec.yml';

/**
 * A GitHub Actions workflow that judges the targets of a configuration. With several targets, there is a job for each,
 * and one that compares their reports.
 */
export function renderGithubWorkflow(targets: readonly CiTarget[]): string {
  return `${HEAD}${targets.length === 1 ? single(targets) : several(targets)}`;
}

/** Actions are pinned to a commit, because a tag can move. */
const CHECKOUT = 'actions/checkout@08c6903cd8c0fde910a37f88322edcfb5dd907a8 # v5.0.0';
const SETUP_NODE = 'actions/setup-node@a0853c24544627f65ddf259abe73b1d18a591444 # v5.0.0';
const UPLOAD = 'actions/upload-artifact@330a01c490aca151604b8cf639adc76d48f6c5d4 # v5.0.0';
const DOWNLOAD = 'actions/download-artifact@634f93cb2916e3fdff6788551b99b062d0335ce0 # v5.0.0';

const HEAD = `# Runs petspec against the targets of petspec.config.yaml. The API keys are secrets of this repository.
name: petspec
on:
  push:
    branches: [main]
  workflow_dispatch:
permissions:
  contents: read
# Two runs with the same key would use up each other's rate limit.
concurrency:
  group: petspec
  cancel-in-progress: false
jobs:
`;

const SETUP = `      - uses: ${CHECKOUT}
      - uses: ${SETUP_NODE}
        with:
          node-version: ${NODE}
      - name: Install petspec
        run: |
          ${requirePetspec('::error title=petspec::')}
          ${INSTALL}
`;

function single(targets: readonly CiTarget[]): string {
  return targets
    .map(
      ({ name, apiKeyVariable }) => `  judge:
    runs-on: ubuntu-latest
    timeout-minutes: 20
    steps:
${SETUP}      - name: Judge ${name}
        env:
          ${apiKeyVariable}: \${{ secrets.${apiKeyVariable} }}
        run: ${PETSPEC} run ${name} --out reports/${name}
      - name: Keep the reports
        if: \${{ !cancelled() }}
        uses: ${UPLOAD}
        with:
          name: petspec-${name}
          path: reports/${name}
`,
    )
    .join('');
}

function several(targets: readonly CiTarget[]): string {
  const matrix = targets
    .map(
      ({ name, apiKeyVariable }) =>
        `          - target: ${scalar(name)}\n            variable: ${apiKeyVariable}\n`,
    )
    .join('');
  const oneByOne = shareKeys(targets) ? '      # Some targets share a key.\n      max-parallel: 1\n' : '';
  return `  judge:
    name: Judge \${{ matrix.target }}
    runs-on: ubuntu-latest
    timeout-minutes: 20
    strategy:
      fail-fast: false
${oneByOne}      matrix:
        include:
${matrix}    steps:
${SETUP}      - name: Judge
        env:
          TARGET: \${{ matrix.target }}
          VARIABLE: \${{ matrix.variable }}
          KEY: \${{ secrets[matrix.variable] }}
        run: |
          export "$VARIABLE=$KEY"
          ${PETSPEC} run "$TARGET" --out "reports/$TARGET"
      - name: Keep the reports
        if: \${{ !cancelled() }}
        uses: ${UPLOAD}
        with:
          name: petspec-\${{ matrix.target }}
          path: reports/\${{ matrix.target }}
  compare:
    name: Compare
    needs: judge
    if: \${{ !cancelled() }}
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
${SETUP}      - name: Gather the reports
        uses: ${DOWNLOAD}
        with:
          pattern: petspec-*
          path: reports
      - name: Compare
        run: |
          ${PETSPEC} compare reports/*/report.json --format markdown >> "$GITHUB_STEP_SUMMARY"
          ${PETSPEC} compare reports/*/report.json --format html > comparison.html
      - name: Keep the comparison
        uses: ${UPLOAD}
        with:
          name: comparison
          path: comparison.html
`;
}
