/** Parses the bundled interface. The build runs it, so that no command needs a YAML parser to begin. */
import { digestOf, parsed, readSources } from '../src/contract/load.ts';
import { prepareDocuments } from '../src/contract/prepared.ts';

const sources = readSources();
prepareDocuments(digestOf(sources), parsed(sources));
