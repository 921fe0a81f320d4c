// Where a dialog's focus goes when it opens: the browser looks for the attribute, which React does not set.

export function focusFirst(element: HTMLInputElement | HTMLButtonElement | null): void {
  if (element !== null) element.autofocus = true
}
