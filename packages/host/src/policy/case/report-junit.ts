// Results of policy tests as JUnit XML, which every CI system reads, and as annotations of GitHub.
import { relative } from 'node:path'
import type { TestedFile } from './test-policy.ts'

export function renderJunit(tested: readonly TestedFile[]): string {
  const suites = tested.map(renderSuite)
  return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites name="belay policy test">\n${suites.join('')}</testsuites>\n`
}

function renderSuite({ file, errors, results }: TestedFile): string {
  const failed = results.filter(({ failures }) => failures.length > 0)
  const attributes = `name=${quote(file)} tests="${results.length}" failures="${failed.length}" errors="${errors.length}"`
  const cases = results.map(({ name, place, failures }) => {
    const opened = `    <testcase name=${quote(name)} classname=${quote(file)} file=${quote(place.file)} line="${place.line}"`
    if (failures.length === 0) return `${opened}/>\n`
    const bodies = failures.map(({ message }) => `<failure message=${quote(message)}/>`)
    return `${opened}>${bodies.join('')}</testcase>\n`
  })
  const broken = errors.map(
    ({ message, place }) =>
      `    <testcase name=${quote(`line ${place.line}`)} classname=${quote(file)}><error message=${quote(message)}/></testcase>\n`,
  )
  return `  <testsuite ${attributes}>\n${broken.join('')}${cases.join('')}  </testsuite>\n`
}

/** What XML cannot hold is shown as a replacement character. */
function quote(text: string): string {
  const clean = text.replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu, '\ufffd')
  return `"${clean.replaceAll(/[&<>"\n\r\t]/g, character => `&#${character.charCodeAt(0)};`)}"`
}

/** One line for each failure; GitHub shows them beside the lines of the change. */
export function githubAnnotations(tested: readonly TestedFile[], cwd: string): readonly string[] {
  return tested.flatMap(({ errors, results }) => [
    ...errors.map(({ message, place }) => annotation(cwd, { message, place })),
    ...results.flatMap(({ failures }) => failures.map(failure => annotation(cwd, failure))),
  ])
}

interface Annotated {
  readonly message: string
  readonly place: { readonly file: string; readonly line: number; readonly column: number }
}

function annotation(cwd: string, { message, place }: Annotated): string {
  const file = relative(cwd, place.file)
  const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A')
  const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C')
  return `::error file=${property(file)},line=${place.line},col=${place.column},title=policy test::${data(message)}`
}
