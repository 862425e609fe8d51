<?php
declare(strict_types=1);

/** A response with a JSON body. */
final class Answer
{
    public function __construct(
        public readonly int $status,
        public readonly mixed $body,
        public readonly array $headers = [],
    ) {
    }
}

/** A request that cannot be served. It is answered with an Error. */
final class Refused extends Exception
{
    public function __construct(public readonly int $status, public readonly string $reason, string $message)
    {
        parent::__construct($message);
    }
}

function error(int $status, string $code, string $message, array $headers = []): Answer
{
    return new Answer($status, ['code' => $code, 'message' => $message, 'status' => $status], $headers);
}

function send(Answer $answer): void
{
    $flags = JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE | JSON_UNESCAPED_SLASHES;
    $body = json_encode($answer->body, $flags);
    http_response_code($answer->status);
    header('Content-Type: application/json; charset=utf-8');
    foreach ($answer->headers as $name => $value) {
        header("$name: $value");
    }
    echo $body;
}

/** The key in an Authorization header, or an empty text. */
function bearer(string $authorization): string
{
    return preg_match('/^bearer +([^ ]+) *$/iD', $authorization, $found) ? $found[1] : '';
}
