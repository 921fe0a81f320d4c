// The part of mvdan-sh that the differential test uses; the package has no types.
declare module 'mvdan-sh' {
  interface SyntaxNode {
    readonly Args?: readonly { readonly Lit: () => string }[]
  }
  const sh: {
    readonly syntax: {
      readonly NewParser: () => { readonly Parse: (source: string, name: string) => SyntaxNode }
      readonly NodeType: (node: SyntaxNode) => string
      readonly Walk: (node: SyntaxNode, visit: (node: SyntaxNode | null) => boolean) => void
    }
  }
  export default sh
}
