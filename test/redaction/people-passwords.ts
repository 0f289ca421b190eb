/**
 * Passwords as people choose them, for `invent`: with punctuation, with words of placeholders in them, and
 * with digits for letters.
 */
export const peoplePasswords: readonly string[] = [
  ...[
    '@dm|inP4ss<digit:4>',
    '$ummer<digit:4>!<small:1>',
    'Summer<digit:4>!',
    'Winter-<digit:4>',
    'P@ss|w0rd<digit:2>!',
  ],
  ...[
    ...['Tr0ub4dor&<digit:1>', 'hun|ter2<digit:2>', 'qwErty<digit:3>!', 'iloveU<digit:3>x'],
    ...['Passw0rd<digit:3>', 'n0t-<digit:2>-chance'],
  ],
  ...[
    'yourMom<digit:4>!',
    'forYour3yes!<small:2>',
    'sample-Tr<digit:2>#<digit:1>',
    'Sampl3r&Co<digit:2>',
    'MySecretKey<digit:4>',
  ],
  ...[
    'SuperSecret<digit:3>!',
    'secretkey<digit:2>x',
    'k3y2theCity<digit:1>',
    'monKey!<digit:3>',
    'Example4Me!<digit:1>x',
  ],
  ...[
    ...['a...b1c2<small:2>', 'wait...what<digit:1>', '<3you4ever<digit:1>', 'p<4ss>w0rd<digit:1>'],
    ...['left<right<digit:2>', 'x<y>z<digit:3>'],
  ],
  ...[
    ...['100%Sure!<digit:1>', '50%off#<digit:3>', '{b}race<digit:3>', '(par3n)<digit:2>x'],
    ...['[br4cket]<digit:2>', 'a;b1;c<digit:2>x'],
  ],
  ...[
    ...['pipe|2|<digit:2>x', 'amp&r<digit:3>sand', 'comma,<digit:2>,dot.', 'q=w1&e<digit:2>r'],
    ...['hash#t<digit:2>g#', '!bang<digit:3>bang!'],
  ],
  ...[
    ...['^c4ret<digit:2>^', '~t1lde<digit:2>', '+plus<digit:3>+', '*st4r<digit:2>x', 'dump-#<digit:4>'],
    ...['$t4rW@rs<digit:1>', 'test!Dr1ve<digit:1>'],
  ],
  ...[
    ...['adm1n!str8r<digit:1>', 'L3tM3!n<digit:2>', 'R00t&Br4nch<digit:1>', 'Geheim<digit:3>!'],
    ...['Motd3Passe!<digit:1>', 'contra$eña<digit:2>'],
  ],
  ...[
    ...['demo-D4y!<digit:2>', 'changeM3now!<digit:1>', 'd3faultly#<digit:2>', 'userF1rst!<digit:2>'],
    ...['token0fLove!<digit:1>', '<digit:8><small:1>'],
  ],
]

/** Placeholders that people write in place of a password. */
export const placeholders: readonly string[] = [
  ...[
    ...['changeme', 'changeme123', 'change-me', 'your_password_here', 'your-password'],
    ...['YOUR_DB_PASSWORD', 'yourpassword'],
  ],
  ...[
    '<password>',
    '<your-password>',
    '{password}',
    '[password]',
    ['$', '{DB_PASSWORD}'].join(''),
    '$DB_PASSWORD',
    '%DB_PASSWORD%',
  ],
  ...[
    ['{', '{db_password}}'].join(''),
    'xxxx-xxxx',
    'xxxxxxxx',
    '********',
    '......',
    'example-pass-1',
    'test1234',
    'password123',
  ],
  ...[
    ...['my-secret-password', 'process.env.DB_PASSWORD', 'config.db.password', 'required', 'undefined'],
    ...['insert-password-here'],
  ],
]

type Line = (password: string) => string
const json = JSON.stringify

/** Contexts of passwords, in files, commands and text. Each escapes what it has to. */
export const passwordContexts: Record<string, Line> = {
  'env file': (password) => `NODE_ENV=production\nDB_PASSWORD=${password}\nPORT=3000\n`,
  'quoted env file': (password) => `DB_PASSWORD="${password}"\nPORT=3000`,
  'single quotes': (password) => `export SMTP_PASS='${password}' && npm start`,
  'export alone': (password) => `export PGPASSWORD=${password}\n`,
  'compose file': (password) =>
    `    environment:\n      POSTGRES_PASSWORD: ${password}\n      POSTGRES_DB: shop\n`,
  'compose list': (password) => `    environment:\n      - MYSQL_ROOT_PASSWORD=${password}\n`,
  yaml: (password) => `database:\n  user: app\n  password: ${password}\n  pool: 5\n`,
  'quoted yaml': (password) => `  admin_password: "${password}"\n`,
  properties: (password) => `spring.datasource.username=app\nspring.datasource.password=${password}\n`,
  ini: (password) => `[client]\nuser = app\npassword = ${password}\n`,
  toml: (password) => `db_password = "${password}"\n`,
  json: (password) => json({ user: 'app', password, retries: 3 }),
  'json in json': (password) => json({ output: json({ dbPassword: password, ok: true }) }),
  'a file in json': (password) => json({ content: `A=1\nDB_PASSWORD=${password}\nB=2\n` }),
  'a file in json, last line': (password) => json({ content: `A=1\nDB_PASSWORD=${password}` }),
  javascript: (password) => `const pool = new Pool({ user: 'app', password: '${password}', max: 5 })`,
  python: (password) => `conn = connect(user="app", password="${password}")`,
  'python environment': (password) => `os.environ["DB_PASSWORD"] = "${password}"`,
  php: (password) => `define('DB_PASSWORD', '${password}');`,
  powershell: (password) => `$env:DB_PASSWORD = "${password}"`,
  'powershell table': (password) =>
    `Name                           Value\n----                           -----\nDB_PASSWORD                    ${password}\nPATH                           C:\\bin\n`,
  'powershell list': (password) => `DB_USER     : app\nDB_PASSWORD : ${password}\n`,
  setx: (password) => `setx DB_PASSWORD "${password}"`,
  'gh secret': (password) => `gh secret set DB_PASSWORD --body "${password}"`,
  plist: (password) => `\t<key>DB_PASSWORD</key>\n\t<string>${password.replace(/[<>&]/g, '-')}</string>\n`,
  'xml setting': (password) => `<add key="DbPassword" value="${password}" />`,
  'long option': (password) => `shopctl login --password '${password}' --yes`,
  grep: (password) => `apps/api/.env:12:DB_PASSWORD=${password}\napps/api/.env:13:PORT=4000`,
  diff: (password) => `@@ -1,2 +1,2 @@\n-DB_PASSWORD=${password}\n+DB_PASSWORD=\n`,
  'coloured name': (password) => `\u001b[32mDB_PASSWORD\u001b[0m=${password}\n`,
  'coloured value': (password) => `DB_PASSWORD=\u001b[33m${password}\u001b[0m\n`,
  'escaped name': (password) => `{"\\u0070assword":"${password}"}`,
  'chinese name': (password) => json({ 密码: password }),
  'escaped chinese name': (password) => `{"\\u5bc6\\u7801":"${password}"}`,
  'german name': (password) => `Kennwort: ${password}\n`,
  'csv with a header': (password) =>
    `name,email,password\nAnn,ann@shop.test,"${password.replace(/,/g, '.')}"\n`,
  'table with a header': (password) =>
    `| user | password |\n|---|---|\n| ann | ${password.replace(/\|/g, '!')} |\n`,
  prose: (password) => `The password is \`${password}\`, put it into the vault.`,
}
