// Error texts that agents meet again and again, and what helps. The first that fits speaks.

export interface FailureShape {
  readonly name: string
  readonly pattern: RegExp
  readonly hint: string
}

export const FAILURE_SHAPES: readonly FailureShape[] = [
  shape('not_read', /has not been read yet|must (?:be )?read (?:the )?file (?:first|before)/i, 'Read the file first, then edit it.'),
  shape(
    'no_match',
    /string to replace not found|old_string (?:was )?not found|no (?:exact )?match(?:es)? found for (?:the )?(?:old|replace)/i,
    'The text to replace is not in the file as given. Read the file again and copy the text exactly, with its white space.',
  ),
  shape(
    'many_matches',
    /found \d+ matches|(?:old_string )?is not unique|multiple (?:matches|occurrences)/i,
    'The text to replace stands in the file more than once. Give more of the lines around it, or replace all.',
  ),
  shape(
    'changed',
    /modified since (?:it was )?(?:last )?read|file has (?:been )?changed/i,
    'The file changed meanwhile. Read it again before editing.',
  ),
  shape('is_directory', /EISDIR|is a directory/i, 'The path is a directory. Name a file in it, or list it.'),
  shape(
    'no_file',
    /ENOENT|no such file or directory|file (?:does not exist|not found)|cannot find the (?:file|path)/i,
    'The path does not exist. List its directory, or search for the name, before trying another.',
  ),
  shape('exists', /EEXIST|already exists/i, 'It is there already. Look at it before overwriting, or take another name.'),
  shape(
    'no_command',
    /command not found|not recognized as an internal|executable file not found/i,
    'The program is not installed or not on PATH. Look for another that does it (`command -v NAME`), or ask for it to be installed.',
  ),
  shape(
    'no_module',
    /cannot find module|module not found|no module named|ERR_MODULE_NOT_FOUND|unresolved import/i,
    'A module is missing. Check the spelling of the import, then the list of dependencies; install only what the project declares.',
  ),
  shape(
    'peer_conflict',
    /ERESOLVE|could not resolve dependency/i,
    'Versions of dependencies do not fit. Read which package wants which version; do not force it.',
  ),
  shape(
    'no_key',
    /permission denied \(publickey|could not read (?:username|password)|authentication failed/i,
    'There is no login for the remote. Ask a person to set it up.',
  ),
  shape(
    'behind',
    /non-fast-forward|fetch first|updates were rejected/i,
    'The remote has commits you lack. Fetch and rebase or merge, then push again; do not force.',
  ),
  shape(
    'conflict',
    /CONFLICT \(|merge conflict|needs merge/i,
    'There are merge conflicts. Open each file, resolve the marked parts, add the files, and go on.',
  ),
  shape('index_lock', /index\.lock/i, 'Another git process is at work, or was killed. Wait and look for it before removing the lock.'),
  shape('not_repository', /not a git repository/i, 'This is not inside a git repository. Check the working directory.'),
  shape(
    'no_rights',
    /EACCES|EPERM|permission denied|operation not permitted/i,
    'You may not do that there. Choose a path inside the project, or ask a person.',
  ),
  shape('port_taken', /EADDRINUSE|address already in use/i, 'The port is taken. Find what listens there, or take another port.'),
  shape('refused', /ECONNREFUSED|connection refused/i, 'Nothing listens there. Start the service, and check host and port.'),
  shape(
    'no_host',
    /ENOTFOUND|EAI_AGAIN|could not resolve host|name or service not known|network is unreachable/i,
    'The host cannot be reached from here; there may be no network. Work with what is local.',
  ),
  shape('rate_limit', /\b429\b|rate.?limit|too many requests|overloaded/i, 'The service wants fewer calls. Wait before trying again.'),
  shape(
    'unauthorised',
    /\b401\b|\b403\b|unauthori[sz]ed|forbidden|invalid (?:api )?(?:key|token)/i,
    'The service refused the login. Do not search for credentials; ask a person.',
  ),
  shape(
    'timeout',
    /ETIMEDOUT|timed? ?out|deadline exceeded/i,
    'It took too long. Do less at once, run it in the background, or give it more time.',
  ),
  shape('disk_full', /ENOSPC|no space left/i, 'The disk is full. Remove what you created, or ask a person.'),
  shape(
    'memory',
    /heap out of memory|ENOMEM|out of memory|\bkilled\b.*137|exit(?:ed)? (?:with )?(?:code )?137/i,
    'It ran out of memory. Work on less data at once.',
  ),
  shape(
    'too_long',
    /exceeds (?:the )?maximum|too (?:large|long)|argument list too long|token limit/i,
    'That was too much at once. Read or write a part at a time.',
  ),
  shape(
    'syntax',
    /syntax ?error|unexpected (?:token|end of|EOF)|parse error/i,
    'The text does not parse. Look at the line it names and at quotes and brackets before it.',
  ),
  shape(
    'types',
    /\bTS\d{4}\b|type error|is not assignable to/i,
    'The types do not fit. Start with the first error; later ones often follow from it.',
  ),
  shape(
    'tests',
    /\b\d+ (?:tests? )?fail(?:ed|ures?|ing)\b|assertion ?error|FAIL\b/i,
    'Tests fail. Run one failing test alone and read what it expected before changing code.',
  ),
]

function shape(name: string, pattern: RegExp, hint: string): FailureShape {
  return { name, pattern, hint }
}
