/** Which judge decided: the version of this package. It stands in every record of a decision. */
export const JUDGE_VERSION = '0.1.0'
