import { tryEvery } from './trials.ts';

tryEvery(2, 4);
