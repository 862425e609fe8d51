import { tryEvery } from './trials.ts';

tryEvery(0, 4);
