import { expect, test } from 'vitest';
import type { Schema } from '../../model/contract.ts';
import { judgeShape } from './shape.ts';

test('a field that begins with digits is named, as any other', () => {
  const sizes: Schema = { type: 'object', properties: { '2xl': { type: 'integer' } } };
  expect(judgeShape({ '2xl': 'none' }, sizes, 'Sizes', 200).deviations).toMatchObject([
    { requirement: 'Sizes.2xl', reason: '/2xl is not an integer', expected: '2xl: an integer' },
  ]);
});

test('what a later version requires of a field is a requirement of its own', () => {
  const text: Schema = { type: 'string' };
  const tag: Schema = {
    ...{ type: 'object', required: ['name', 'colour'], properties: { name: text, colour: text } },
    'x-since': { required: '0.2.0' },
  };
  const pet: Schema = { type: 'object', properties: { tag } };
  expect(judgeShape({ tag: {} }, pet, 'Pet', 200).deviations).toMatchObject([
    { requirement: 'Pet.tag.required', reason: 'all required fields are missing', pointer: '/tag' },
  ]);
});

test('what is wrong in a field that only a pattern describes is held against the object around it', () => {
  const note: Schema = { type: 'object', properties: { a: { type: 'integer' } } };
  const extended: Schema = { type: 'object', patternProperties: { '^x-': note } };
  expect(judgeShape({ 'x-note': { a: '1' } }, extended, 'Thing', 200).deviations).toMatchObject([
    { requirement: 'Thing', pointer: '/x-note/a' },
  ]);
});

test('a field that only the inner one of a component in itself has is met', () => {
  const properties: Record<string, Schema> = { text: { type: 'string' }, author: { type: 'string' } };
  const comment: Schema = { 'x-component': 'Comment', type: 'object', required: ['text'], properties };
  properties.reply = { 'x-component': 'Comment', 'x-circular': comment };
  const { met } = judgeShape({ text: 'a', reply: { text: 'b', author: 'c' } }, comment, 'Comment', 200);
  expect(new Set(met)).toEqual(new Set(['Comment', 'Comment.text', 'Comment.reply', 'Comment.author']));
});
