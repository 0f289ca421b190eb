import { columnsOf } from '../database-statements.ts'

/** The message that was written last: only its parts still change in place. */
const lastMessage = `(SELECT id FROM message l WHERE l.session_id = s.id ORDER BY l.time_created DESC, l.id DESC LIMIT 1)`

const copies = (where: string): string =>
  `SELECT f.session_id AS fork, f.id AS copy, o.session_id AS original, o.id AS message
    FROM message f JOIN session s ON s.id = f.session_id AND f.time_created < s.time_created
    JOIN message o ON o.time_created = f.time_created AND o.session_id <> f.session_id
    JOIN session t ON t.id = o.session_id AND t.time_created < s.time_created ${where}
    ORDER BY f.session_id, f.time_created DESC, f.id DESC, t.time_created`

/**
 * All statements for OpenCode's databases. Accounts, their keys and the secrets of shared sessions are in
 * other tables, which no statement names; a test checks that.
 */
export const STATEMENTS = {
  columns: columnsOf('session message part event todo session_v2 session_message'),
  /** `changed`: later than every change of a session, of its messages and of the parts of the last one. */
  sessions: `SELECT s.id AS id, s.parent_id AS parent, s.title AS title, s.time_updated AS updated,
    s.time_created AS created,
    (SELECT count(*) FROM message m WHERE m.session_id = s.id) AS messages,
    (SELECT count(*) FROM part p WHERE p.session_id = s.id) AS parts,
    max(s.time_updated,
      coalesce((SELECT max(m.time_updated) FROM message m WHERE m.session_id = s.id), 0),
      coalesce((SELECT max(p.time_updated) FROM part p WHERE p.message_id = ${lastMessage}), 0)) AS changed
    FROM session s ORDER BY s.time_created, s.id`,
  session: `SELECT id, parent_id AS parent, directory, title, version, time_created AS created, revert FROM session WHERE id = ?`,
  messages: `SELECT id, time_created AS at, data FROM message WHERE session_id = ? ORDER BY time_created, id`,
  parts: `SELECT message_id AS message, data FROM part WHERE session_id = ? ORDER BY message_id, id`,
  partsOfMessage: 'SELECT data FROM part WHERE message_id = ? ORDER BY id',
  /**
   * Sessions of version 2, which counts messages in `seq`. Those of a fork have the numbers of the original.
   */
  sessionsOf2: `SELECT s.id AS id, s.parent_id AS parent, s.title AS title, s.time_updated AS updated,
    s.fork_session_id AS fork,
    (SELECT count(*) FROM session_message m WHERE m.session_id = s.id) AS messages,
    max(s.time_updated,
      coalesce((SELECT max(m.time_updated) FROM session_message m WHERE m.session_id = s.id), 0)) AS changed
    FROM session_v2 s ORDER BY s.time_created, s.id`,
  sessionOf2: `SELECT id, parent_id AS parent, directory, title, version, time_created AS created, revert,
    fork_session_id AS fork FROM session_v2 WHERE id = ?`,
  messagesOf2: `SELECT id, type, seq, time_created AS at, data FROM session_message WHERE session_id = ? ORDER BY seq, id`,
  /** A fork copies messages under new ids, with their times. The latest copies of each fork come first. */
  copies: copies(''),
  copiesIn: copies('WHERE f.session_id = ?'),
  /** Messages that a person took back are in no other table. */
  removed: `SELECT json_extract(data, '$.messageID') AS id FROM event
    WHERE aggregate_id = ? AND type LIKE 'message.removed.%' AND json_valid(data) ORDER BY seq`,
  removedMessage: `SELECT json_extract(data, '$.info') AS data, json_extract(data, '$.info.time.created') AS at FROM event
    WHERE aggregate_id = ? AND type LIKE 'message.updated.%' AND json_valid(data)
      AND json_extract(data, '$.info.id') = ? ORDER BY seq DESC LIMIT 1`,
  removedParts: `SELECT json_extract(data, '$.part.id') AS id, json_extract(data, '$.part') AS data FROM event
    WHERE aggregate_id = ? AND type LIKE 'message.part.updated.%' AND json_valid(data)
      AND json_extract(data, '$.part.messageID') = ? ORDER BY seq`,
  todos: `SELECT session_id AS session, content, status, priority, position, time_updated AS updated FROM todo
    ORDER BY session_id, position`,
  /** The parts of all prompts. */
  prompts: `SELECT p.data AS data FROM message m JOIN part p ON p.message_id = m.id
    WHERE json_valid(m.data) AND json_extract(m.data, '$.role') = 'user'`,
  promptsOf2: `SELECT data FROM session_message WHERE type = 'user' OR type = 'shell'`,
  /** Calls of the shell, among them those of people. */
  commands: `SELECT data FROM part WHERE data LIKE '%"tool":"bash"%'`,
  /** The texts of messages that were written at any time. */
  earlierTexts: `SELECT json_extract(data, '$.part') AS data FROM event
    WHERE type LIKE 'message.part.updated.%' AND json_valid(data) AND json_extract(data, '$.part.type') = 'text'`,
} as const
