<?php
declare(strict_types=1);

/** The body of the request, which must be a JSON object. */
function received_object(): stdClass
{
    try {
        $body = json_decode(file_get_contents('php://input'), false, 64, JSON_THROW_ON_ERROR);
    } catch (JsonException $error) {
        throw new Refused(400, 'invalid_json', "The body is not JSON: {$error->getMessage()}.");
    }
    if (!$body instanceof stdClass) {
        throw new Refused(400, 'invalid_body', 'The body is not an object.');
    }
    return $body;
}

/** @return array{string, int, string} name, category and status of a new animal */
function new_pet(stdClass $body): array
{
    $name = $body->name ?? null;
    $category = $body->categoryId ?? null;
    if (!is_string($name)) {
        throw new Refused(400, 'invalid_value', 'name is required, and a string.');
    }
    // A number beyond int64 is a float here.
    if (!is_int($category)) {
        throw new Refused(400, 'invalid_value', 'categoryId is required, and an integer.');
    }
    $status = property_exists($body, 'status') ? $body->status : 'available';
    if (!in_array($status, STATUSES, true)) {
        throw new Refused(400, 'invalid_value', 'status is one of ' . implode(', ', STATUSES) . '.');
    }
    return [$name, $category, $status];
}

function new_message(stdClass $body): string
{
    $message = $body->message ?? null;
    if (!is_string($message)) {
        throw new Refused(400, 'invalid_value', 'message is required, and a string.');
    }
    return $message;
}
