CREATE TABLE pets (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT NOT NULL,
  category INTEGER NOT NULL,
  status TEXT NOT NULL,
  created TEXT NOT NULL
);
INSERT INTO sqlite_sequence (name, seq) VALUES ('pets', 1000);

-- What is left of each limit of a key, and when that was so.
CREATE TABLE buckets (
  client TEXT NOT NULL,
  name TEXT NOT NULL,
  tokens REAL NOT NULL,
  at REAL NOT NULL,
  PRIMARY KEY (client, name)
);
