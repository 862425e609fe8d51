<?php
declare(strict_types=1);

function database(string $file): PDO
{
    // Seconds that a process waits while another one writes.
    return new PDO("sqlite:$file", options: [PDO::ATTR_TIMEOUT => 10]);
}

/** The animals, in SQLite. */
final class Catalogue
{
    private const FIELDS = 'id, name, category AS categoryId, status, created AS createdAt';

    public function __construct(private readonly PDO $database)
    {
    }

    public static function create(string $file, int $count): void
    {
        $database = database($file);
        $database->exec('PRAGMA journal_mode = WAL');
        $database->exec(file_get_contents(__DIR__ . '/schema.sql'));
        $catalogue = new self($database);
        $database->beginTransaction();
        for ($i = 0; $i < $count; $i++) {
            $name = ['Anka', 'Bruno', 'Coco', 'Dolly', 'Emil'][$i % 5];
            $catalogue->add($name, 1 + $i % 4, ['available', 'pending', 'sold'][$i % 3]);
        }
        $database->commit();
    }

    /** Adds an animal, and returns it with its id. */
    public function add(string $name, int $category, string $status): array
    {
        $insert = $this->database->prepare(
            'INSERT INTO pets (name, category, status, created) VALUES (?, ?, ?, ?) RETURNING ' . self::FIELDS
        );
        $insert->execute([$name, $category, $status, gmdate('Y-m-d\TH:i:s\Z')]);
        return $insert->fetch(PDO::FETCH_ASSOC);
    }

    public function find(int $id): ?array
    {
        $select = $this->database->prepare('SELECT ' . self::FIELDS . ' FROM pets WHERE id = ?');
        $select->execute([$id]);
        return $select->fetch(PDO::FETCH_ASSOC) ?: null;
    }

    /** The newest first, since nothing says how to get the next page. */
    public function list(int $limit, ?string $status): array
    {
        $where = $status === null ? '' : 'WHERE status = :status';
        $select = $this->database->prepare('SELECT ' . self::FIELDS . " FROM pets $where ORDER BY id DESC LIMIT :limit");
        $select->bindValue('limit', $limit, PDO::PARAM_INT);
        if ($status !== null) {
            $select->bindValue('status', $status);
        }
        $select->execute();
        return $select->fetchAll(PDO::FETCH_ASSOC);
    }
}
