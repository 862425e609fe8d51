/** Problems and the limit, whatever was asked. */
export const problems = [
  {
    id: 'problem-without-title',
    summary: 'problems lack a title',
    violates: 'Problem.title',
    finish: (answer) => (answer.status >= 400 ? { ...answer, value: { status: answer.status } } : answer),
  },
  {
    id: 'problem-other-status',
    summary: 'problems name another status',
    violates: 'problems.status',
    finish: (answer) =>
      answer.status >= 400 ? { ...answer, value: { ...answer.value, status: 400 } } : answer,
  },
  {
    id: 'problem-as-html',
    summary: 'problems are pages',
    violates: 'service.content-type',
    finish: (answer) =>
      answer.status === 401 ? { ...answer, type: 'text/html', text: '<p>no</p>' } : answer,
  },
  { id: 'limit-unsaid', summary: 'RateLimit is missing', violates: 'RateLimit', limitHeaders: () => ({}) },
  {
    id: 'limit-unenforced',
    summary: 'the limit is not enforced',
    violates: 'rate-limit.enforced',
    isUnlimited: true,
  },
  {
    id: 'limit-recovers-late',
    summary: 'Retry-After is too short',
    violates: 'rate-limit.recovery',
    retryAfter: (seconds) => Math.max(1, Math.floor(seconds / 3)),
  },
];
