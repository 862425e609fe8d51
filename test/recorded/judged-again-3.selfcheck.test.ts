import { judgeAgain } from './judged-again.ts';

judgeAgain(2, 4);
