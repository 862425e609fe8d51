import 'reflect-metadata';
import {
  BadRequestException,
  Body,
  Controller,
  Delete,
  Get,
  HttpCode,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Post,
  Put,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import {
  ApiBadRequestResponse,
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiNotFoundResponse,
  ApiOkResponse,
  ApiProperty,
  ApiPropertyOptional,
  ApiQuery,
  DocumentBuilder,
  SwaggerModule,
} from '@nestjs/swagger';
import { IsBoolean, IsInt, IsOptional, IsString, Length, Max, Min } from 'class-validator';

// What TypeScript makes of decorators.
const field = (target, name, type, ...decorators) =>
  Reflect.decorate([...decorators, Reflect.metadata('design:type', type)], target.prototype, name);
const method = (target, name, parameters, ...decorators) => {
  for (const [index, [, decorator]] of parameters.entries()) decorator(target.prototype, name, index);
  const types = parameters.map(([type]) => type);
  const all = [...decorators, Reflect.metadata('design:paramtypes', types)];
  const { [name]: descriptor } = Object.getOwnPropertyDescriptors(target.prototype);
  Object.defineProperty(target.prototype, name, Reflect.decorate(all, target.prototype, name, descriptor));
};

class NewTask {}
const priority = { type: 'integer', minimum: 1, maximum: 5 };
field(NewTask, 'title', String, ApiProperty({ minLength: 1, maxLength: 40 }), IsString(), Length(1, 40));
field(NewTask, 'done', Boolean, ApiPropertyOptional({ default: false }), IsOptional(), IsBoolean());
field(NewTask, 'priority', Number, ApiPropertyOptional(priority), IsOptional(), IsInt(), Min(1), Max(5));

class Task {}
field(Task, 'id', String, ApiProperty());
field(Task, 'title', String, ApiProperty({ minLength: 1, maxLength: 40 }));
field(Task, 'done', Boolean, ApiProperty());
field(Task, 'priority', Number, ApiPropertyOptional(priority));

class Problem {}
field(Problem, 'statusCode', Number, ApiProperty({ type: 'integer' }));
field(Problem, 'error', String, ApiProperty());

const all = new Map();
let last = 0;
const known = (id) => {
  if (!all.has(id)) throw new NotFoundException('no such task');
  return all.get(id);
};
class Tasks {
  listTasks(limit = 20) {
    if (limit < 1 || limit > 50) throw new BadRequestException('not a limit');
    return [...all.values()].slice(0, limit);
  }
  addTask(body) {
    last += 1;
    const own = { done: false, ...body, id: `t${last}` };
    all.set(own.id, own);
    return own;
  }
  getTask(id) {
    return known(id);
  }
  replaceTask(id, body) {
    known(id);
    all.set(id, { done: false, ...body, id });
    return all.get(id);
  }
  removeTask(id) {
    known(id);
    all.delete(id);
  }
}
const refused = ApiBadRequestResponse({ type: Problem });
const none = ApiNotFoundResponse({ type: Problem });
const one = [String, Param('id')];
const limit = [Number, Query('limit', new ParseIntPipe({ optional: true }))];
const schema = { type: 'integer', minimum: 1, maximum: 50, default: 20 };
const documented = ApiQuery({ name: 'limit', required: false, schema });
method(Tasks, 'listTasks', [limit], Get(), documented, ApiOkResponse({ type: [Task] }), refused);
method(Tasks, 'addTask', [[NewTask, Body()]], Post(), ApiCreatedResponse({ type: Task }), refused);
method(Tasks, 'getTask', [one], Get(':id'), ApiOkResponse({ type: Task }), none);
method(
  Tasks,
  'replaceTask',
  [one, [NewTask, Body()]],
  ...[Put(':id'), ApiOkResponse({ type: Task }), refused, none],
);
method(Tasks, 'removeTask', [one], Delete(':id'), HttpCode(204), ApiNoContentResponse(), none);
Reflect.decorate([Controller('tasks')], Tasks);
class Application {}
Reflect.decorate([Module({ controllers: [Tasks] })], Application);
const app = await NestFactory.create(Application, { logger: false });
app.useGlobalPipes(new ValidationPipe({ whitelist: true, forbidNonWhitelisted: true }));
const config = new DocumentBuilder().setTitle('Tasks').setVersion('1.0.0').build();
const operationIdFactory = (_, name) => name;
SwaggerModule.setup('docs', app, () => SwaggerModule.createDocument(app, config, { operationIdFactory }), {
  jsonDocumentUrl: 'openapi.json',
});
await app.listen(0, '127.0.0.1');
console.log(await app.getUrl());
