import { playEvery } from './catalogue-cases.ts';

playEvery(0, 2);
