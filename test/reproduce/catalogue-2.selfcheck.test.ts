import { playEvery } from './catalogue-cases.ts';

playEvery(1, 2);
