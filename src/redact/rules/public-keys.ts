/** Names that end in `key` and mean no secret: positions in data, and what is meant to be published. */

const ofData =
  /(?:public|pub|publishable|site|anon|primary|foreign|unique|candidate|surrogate|composite|partition|sort|range|hash|group|order|cache|storage|store|idempotency|dedupe?|deduplication|lookup|row|column|object|query|item|record|entity|document|dict|session|message|event|request|response|trace|correlation|tracking|index|context|parent|child|node|prop|property|field|state|lock|queue|topic|routing|rate|limit|feature|flag|config|setting|job|task|run|project|resource|translation|locale|i18n|text|label|file|path|image|asset|bucket|s3|object|blob|redis|host|known|fingerprint|signature|version|react|list|tab|menu|component|hot|short|arrow|any|enter|escape|return|shift|registry|prompt|thread|conversation|user|issue|jira|ticket|cell|sheet|data|test|sync|issuer|tree|pixel|widget|tag|license_type)s?[._-]?$/i

const BEFORE = 32

/** Whether the name before `key` says that its value is no secret. */
export const namesData = ({ input, index }: RegExpExecArray): boolean =>
  ofData.test(input.slice(Math.max(0, index - BEFORE), index))
