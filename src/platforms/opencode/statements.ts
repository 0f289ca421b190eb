/**
 * All statements for OpenCode's database. Its accounts, their keys and the secrets of shared sessions are in
 * other tables, which no statement names.
 */
export const STATEMENTS = {
  begin: 'BEGIN',
  end: 'COMMIT',
  tables: `SELECT name FROM sqlite_master WHERE type = 'table' AND name IN ('session', 'message', 'part', 'event')`,
  /** `changed`: later than every change of a session, of its messages and of their parts. */
  sessions: `SELECT s.id AS id, s.parent_id AS parent, s.title AS title, s.time_updated AS updated,
    s.time_archived AS archived,
    (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages,
    max(s.time_updated,
      coalesce((SELECT max(m.time_updated) FROM message m WHERE m.session_id = s.id), 0),
      coalesce((SELECT max(p.time_updated) FROM part p WHERE p.session_id = s.id), 0)) AS changed
    FROM session s ORDER BY s.time_created, s.id`,
  session: `SELECT id, parent_id AS parent, directory, title, version, time_created AS created FROM session WHERE id = ?`,
  messages: `SELECT id, data FROM message WHERE session_id = ? ORDER BY time_created, id`,
  parts: `SELECT message_id AS message, id, data FROM part WHERE session_id = ? ORDER BY message_id, id`,
  /** A fork copies messages under new ids, with their times. */
  original: `SELECT o.session_id AS id FROM message o JOIN session s ON s.id = o.session_id
    WHERE s.id <> ?1 AND s.time_created <= ?2 AND json_valid(o.data) AND json_extract(o.data, '$.time.created') = ?2
    ORDER BY s.time_created LIMIT 1`,
  /** Messages that a person took back are in no other table. */
  removed: `SELECT json_extract(data, '$.messageID') AS id FROM event
    WHERE aggregate_id = ? AND type LIKE 'message.removed.%' AND json_valid(data) ORDER BY seq`,
  removedMessage: `SELECT json_extract(data, '$.info') AS data FROM event
    WHERE aggregate_id = ? AND type LIKE 'message.updated.%' AND json_valid(data)
      AND json_extract(data, '$.info.id') = ? ORDER BY seq DESC LIMIT 1`,
  removedParts: `SELECT json_extract(data, '$.part.id') AS id, json_extract(data, '$.part') AS data FROM event
    WHERE aggregate_id = ? AND type LIKE 'message.part.updated.%' AND json_valid(data)
      AND json_extract(data, '$.part.messageID') = ? ORDER BY seq`,
} as const
