<?php
declare(strict_types=1);

const STATUSES = ['available', 'pending', 'sold'];
const LIMIT_DEFAULT = 20;
const LIMIT_MAXIMUM = 100;

/** Answers a request at the base address. */
function animals_at(string $method, string $path): Answer
{
    $catalogue = new Catalogue(database(getenv('STORE_FILE')));
    if ($path === '/v1/pets') {
        return match ($method) {
            'GET' => new Answer(200, $catalogue->list(limit(), status_filter())),
            'POST' => new Answer(201, $catalogue->add(...new_pet(received_object()))),
            default => not_allowed('GET, HEAD, POST'),
        };
    }
    if (preg_match('~^/v1/pets/([^/]+)$~D', $path, $found)) {
        return $method === 'GET' ? pet($catalogue, $found[1]) : not_allowed('GET, HEAD');
    }
    if ($path === '/v1/store/orders') {
        return $method === 'GET' ? new Answer(200, []) : not_allowed('GET, HEAD');
    }
    throw new Refused(404, 'no_such_address', 'There is nothing at this address.');
}

/** Answers a request at the message address: nobody reads the messages. */
function message_at(string $method, string $path): Answer
{
    if ($path !== '/messages') {
        throw new Refused(404, 'no_such_address', 'There is nothing at this address.');
    }
    if ($method !== 'POST') {
        return not_allowed('POST');
    }
    return new Answer(200, [
        'id' => 'msg_' . bin2hex(random_bytes(8)),
        'message' => new_message(received_object()),
        'status' => 'queued',
        'createdAt' => gmdate(DATE_ATOM),
        'attempts' => 0,
    ]);
}

function pet(Catalogue $catalogue, string $text): Answer
{
    $id = filter_var(rawurldecode($text), FILTER_VALIDATE_INT);
    $pet = $id === false ? null : $catalogue->find($id);
    if ($pet === null) {
        throw new Refused(404, 'animal_not_found', 'No animal has this id.');
    }
    return new Answer(200, $pet, ['Deprecation' => '@1767225600']);
}

/** How many animals are wanted: a limit out of range is moved into it, and one that is no integer is ignored. */
function limit(): int
{
    $limit = filter_var($_GET['limit'] ?? LIMIT_DEFAULT, FILTER_VALIDATE_INT);
    return $limit === false ? LIMIT_DEFAULT : max(1, min($limit, LIMIT_MAXIMUM));
}

/** No animal has a status that is not known, so that list is empty. */
function status_filter(): ?string
{
    $status = $_GET['status'] ?? null;
    return is_string($status) ? $status : null;
}

function not_allowed(string $methods): Answer
{
    return error(405, 'method_not_allowed', "This address has $methods.", ['Allow' => $methods]);
}
