/**
 * Older words and what to write instead (docs/glossary.md). `word` matches an identifier or a word of a comment; `files` is where the rule holds, `except`
 * where the word is right; `inCode`: strings and English comments may say it.
 */
const BANNED = [
  {
    word: /\b(?:asRoad|withRoad|TestRoad|RoadOptions|Road)\b(?! map)/,
    instead: 'pipeline',
    files: /^(server|bench|scripts)\//,
  },
  {
    word: /(?<!on the |On the )\broad\b(?! map)/,
    instead: 'pipeline',
    files: /^(server\/(src|test)|bench)\//,
    except:
      /\/(thin-path|path-segments|draw-path|tenancy\.db|role-pipeline|shipment-custody|shipment-evidence|season|notice|claim\.db)/,
  },
  {
    word: /\b(?:wish|wishes|wishFirst|Wish)\b/,
    instead: 'command',
    files: /^(server\/src\/(features|pipeline|platform\/devices)|web\/src\/features)\//,
  },
  { word: /\b(?:takeAround|Aside|aside)\b/, instead: 'quarantine', files: /^server\/src\/pipeline\// },
  {
    word: /\b(?:(?:type|interface|class|function) Told|ToldRow|DeviceTold|ChartTold|AlarmTold|isTold|presentTold|toldSql|isToldBy)\b/,
    instead: 'receipt, or what it is',
  },
  { word: /\bclass Places\b|\bnew Places\b/, instead: 'SendSlots' },
  {
    word: /\b(?:type|interface|class) (?:Delivery|Asked|Wanted|Kept|Found|Heard|Means|Given|About|Made|Scope)\b/,
    instead: 'a name that says what it holds',
  },
  { word: /\b(?:hearersOf|whomOf|hearFrom|hearNothing|passTime|Tongue|Desk)\b/, instead: 'the word of the glossary' },
  { word: /\bmost(?!ly)[A-Z]\w*\b/, instead: 'max...' },
  { word: /\b(?:useRecordForm|RecordForm)\b/, instead: 'EntityForm' },
  {
    word: /[(,[] ?place(?:\)|\]) (?:=>|of)/,
    instead: 'index',
    except: /^(web|simulator|e2e)\/|\/(basemap|fence|box-tree|places)/,
  },
]

const INVERTED = /^\s*(?:\/\/|\/\*\*?|\*) (?:What|Who|Whoever|Whom|Of)\b(?![^.?]*\?)/
const INVERTED_FILES = /^(contract|server|web|simulator|bench|scripts|e2e)\//

const ISSUE = /(?:^|[\s(])(?:#\d+\b|issue \d+)/i

/** Whether these rules speak of the file: not of themselves, their test, generated code, packages. */
const isRead = (path) => !/^scripts\/words\/|(^|\/)(node_modules|dist)\/|\/schema\.ts$/.test(path)

/**
 * Checks the words of files.
 * @param {Map<string, string>} files text by path in the repository: code (.ts, .tsx, .mjs) and docs (.md)
 * @returns {string[]} a line per fault, with file and line
 */
export function checkWords(files) {
  const faults = []
  for (const [path, text] of files) {
    if (!isRead(path)) continue
    const judge = path.endsWith('.md') ? faultOfDocs : faultOfCode
    text.split('\n').forEach((line, index) => {
      const fault = judge(path, line)
      if (fault) faults.push(`${path}:${index + 1} ${fault}`)
    })
  }
  return faults
}

function faultOfCode(path, line) {
  if (INVERTED_FILES.test(path) && INVERTED.test(line))
    return 'a comment begins with its subject: not with What, Who or Of'
  for (const { word, instead, files, except } of BANNED) {
    if ((files && !files.test(path)) || except?.test(path)) continue
    const found = word.exec(line)
    if (found) return `"${found[0].trim()}": write ${instead} (docs/glossary.md)`
  }
  return null
}

const faultOfDocs = (path, line) =>
  /^(docs\/|README\.md)/.test(path) && ISSUE.test(line) ? 'docs do not speak of issue numbers' : null
