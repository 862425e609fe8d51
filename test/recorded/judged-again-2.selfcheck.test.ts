import { judgeAgain } from './judged-again.ts';

judgeAgain(1, 4);
