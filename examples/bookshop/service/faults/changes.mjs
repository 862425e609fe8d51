import { answerOf } from '../answers.mjs';

export const isOf = (asked, method, path) => asked.method === method && path.test(asked.path);
export const LIST = /^\/books$/;
export const BOOK = /^\/books\/[^/]+$/;

/** Another answer to some requests, made from the usual one, if that is a success. */
export const changing = (method, path, change) => (asked, usual, shop) => {
  if (!isOf(asked, method, path)) return undefined;
  const answer = usual();
  return answer.status < 300 ? change(answer, asked, shop) : answer;
};
export const withValue = (change) => (answer, asked, shop) => ({
  ...answer,
  value: change(answer.value, asked, shop),
});
export const withItems = (change) => withValue((page) => ({ ...page, items: page.items.map(change) }));
/** With the right key, whatever was sent. */
export const letIn = (method, path) => (asked, _, shop) =>
  isOf(asked, method, path) && asked.key === undefined
    ? answerOf({ ...asked, key: shop.apiKey }, shop)
    : undefined;
/** With the key of the user who added the book, whichever was sent. */
export const asOwner = (method, path) => (asked, _, shop) =>
  isOf(asked, method, path) && asked.key === shop.secondKey
    ? answerOf({ ...asked, key: shop.apiKey }, shop)
    : undefined;
export const without =
  (name) =>
  ({ [name]: _removed, ...rest }) =>
    rest;
