import ts from 'typescript';

/** The arguments of the functions that are being evaluated, by parameter. */
type Bindings = ReadonlyMap<ts.Symbol, ts.Expression>;

/** Texts for interpolations that are known only at run time, by `file: expression`. */
export type Samples = Readonly<Record<string, readonly string[]>>;

/** The evaluator does not support an expression. */
export class Unevaluated extends Error {}

/** A text depends on the arguments of a function's callers. */
class Unbound extends Error {
  readonly parameter: ts.ParameterDeclaration;
  constructor(parameter: ts.ParameterDeclaration) {
    super();
    this.parameter = parameter;
  }
}

/** Evaluates expressions to all their possible texts. */
export class TextEvaluator {
  readonly #checker: ts.TypeChecker;
  readonly #calls: ReadonlyMap<ts.Symbol, readonly ts.CallExpression[]>;
  readonly #samples: Samples;
  readonly #fileOf: (node: ts.Node) => string;
  /** Keys of the samples that were used. */
  readonly sampled = new Set<string>();

  constructor(
    files: readonly ts.SourceFile[],
    checker: ts.TypeChecker,
    samples: Samples,
    fileOf: (node: ts.Node) => string,
  ) {
    this.#checker = checker;
    this.#samples = samples;
    this.#fileOf = fileOf;
    this.#calls = callsIn(files, checker);
  }

  textsOf(expression: ts.Expression): string[] {
    return [...new Set(this.#boundTexts(expression, new Map()))];
  }

  /** For each call of the enclosing functions, so that arguments of one call stay together. */
  #boundTexts(expression: ts.Expression, bindings: Bindings): string[] {
    try {
      return this.#texts(expression, bindings);
    } catch (error) {
      if (!(error instanceof Unbound)) throw error;
      return this.#callsOf(error.parameter).flatMap(call =>
        this.#boundTexts(expression, this.#bound(error.parameter.parent, call, bindings)),
      );
    }
  }

  #texts(node: ts.Expression, bindings: Bindings): string[] {
    const bare = unwrapped(node);
    if (ts.isStringLiteralLike(bare) || ts.isNumericLiteral(bare)) return [bare.text];
    const literals = this.#literalsOf(bare);
    if (literals) return literals;
    if (ts.isTemplateExpression(bare)) return this.#template(bare, bindings);
    if (ts.isConditionalExpression(bare))
      return [...this.#texts(bare.whenTrue, bindings), ...this.#texts(bare.whenFalse, bindings)];
    if (ts.isArrayLiteralExpression(bare)) return this.#joined(bare, ',', bindings);
    if (ts.isIdentifier(bare) || ts.isPropertyAccessExpression(bare)) return this.#named(bare, bindings);
    if (ts.isCallExpression(bare)) return this.#called(bare, bindings);
    return this.#sample(bare);
  }

  /** The values of a union of string literals. */
  #literalsOf(node: ts.Expression): string[] | undefined {
    const type = this.#checker.getTypeAtLocation(node);
    const parts = type.isUnion() ? type.types : [type];
    return parts.every(part => part.isStringLiteral() || part.isNumberLiteral())
      ? parts.map(part => String((part as ts.LiteralType).value))
      : undefined;
  }

  #template(node: ts.TemplateExpression, bindings: Bindings): string[] {
    const parts = node.templateSpans.flatMap(span => [
      this.#texts(span.expression, bindings),
      [span.literal.text],
    ]);
    return combined([[node.head.text], ...parts]);
  }

  #named(node: ts.Identifier | ts.PropertyAccessExpression, bindings: Bindings): string[] {
    const symbol = this.#symbolOf(node);
    const bound = symbol && bindings.get(symbol);
    if (bound) return this.#texts(bound, bindings);
    const declaration = symbol?.valueDeclaration;
    if (!symbol || !declaration) return this.#sample(node);
    if (ts.isParameter(declaration) && this.#callsOf(declaration).length > 0) throw new Unbound(declaration);
    if ((isConstant(declaration) || ts.isPropertyAssignment(declaration)) && declaration.initializer)
      return this.#texts(declaration.initializer, bindings);
    if (ts.isPropertyDeclaration(declaration)) return this.#assigned(node, symbol, declaration, bindings);
    return this.#sample(node);
  }

  /** The values that methods assign to a private property. */
  #assigned(
    node: ts.Expression,
    symbol: ts.Symbol,
    declaration: ts.PropertyDeclaration,
    bindings: Bindings,
  ): string[] {
    const values: ts.Expression[] = [];
    const visit = (child: ts.Node): void => {
      if (
        ts.isBinaryExpression(child) &&
        child.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
        this.#checker.getSymbolAtLocation(child.left) === symbol
      )
        values.push(child.right);
      ts.forEachChild(child, visit);
    };
    visit(declaration.parent);
    return values.length === 0 ? this.#sample(node) : values.flatMap(value => this.#texts(value, bindings));
  }

  #callsOf({ parent }: ts.ParameterDeclaration): readonly ts.CallExpression[] {
    const owner = ts.isVariableDeclaration(parent.parent) ? parent.parent : parent;
    const symbol = 'name' in owner && owner.name ? this.#checker.getSymbolAtLocation(owner.name) : undefined;
    return (symbol && this.#calls.get(symbol)) ?? [];
  }

  #bound(
    called: ts.SignatureDeclaration | ts.JSDocSignature,
    call: ts.CallExpression,
    bindings: Bindings,
  ): Bindings {
    const inner = new Map(bindings);
    (called.parameters as ts.NodeArray<ts.ParameterDeclaration>).forEach((parameter, index) => {
      const symbol = this.#checker.getSymbolAtLocation(parameter.name);
      const value = call.arguments[index] ?? parameter.initializer;
      if (symbol && value) inner.set(symbol, value);
    });
    return inner;
  }

  #called(node: ts.CallExpression, bindings: Bindings): string[] {
    const { expression } = node;
    // These only quote.
    if (expression.getText() === 'pg.escapeIdentifier') return this.#sample(node, ['"quoted"']);
    if (expression.getText() === 'pg.escapeLiteral') return this.#sample(node, ["'quoted'"]);
    if (ts.isPropertyAccessExpression(expression) && expression.name.text === 'join') {
      const separator = this.#texts(node.arguments[0]!, bindings)[0]!;
      return this.#joined(expression.expression, separator, bindings);
    }
    const called = this.#functionOf(expression, bindings);
    if (!called?.body) return this.#sample(node);
    const results = returnedBy(called.body);
    const inner = this.#bound(called, node, bindings);
    return results.length === 0 ? this.#sample(node) : results.flatMap(result => this.#texts(result, inner));
  }

  /** The function, including one that was passed as an argument. */
  #functionOf(expression: ts.Expression, bindings: Bindings): ts.FunctionLikeDeclaration | undefined {
    const symbol = this.#symbolOf(expression);
    const bound = symbol && bindings.get(symbol);
    if (bound) return this.#functionOf(bound, bindings);
    const declaration = symbol?.valueDeclaration;
    if (declaration && ts.isParameter(declaration)) throw new Unbound(declaration);
    const value = declaration && isConstant(declaration) ? declaration.initializer : declaration;
    return value && ts.isFunctionLike(value) ? (value as ts.FunctionLikeDeclaration) : undefined;
  }

  /** An array literal or a constant with one, possibly mapped. */
  #joined(list: ts.Expression, separator: string, bindings: Bindings): string[] {
    const bare = unwrapped(list);
    const mapped =
      ts.isCallExpression(bare) &&
      ts.isPropertyAccessExpression(bare.expression) &&
      bare.expression.name.text === 'map'
        ? { of: unwrapped(bare.expression.expression), by: bare.arguments[0]! }
        : undefined;
    const elements = this.#initial(mapped ? mapped.of : bare);
    if (!ts.isArrayLiteralExpression(elements)) return this.#sample(list);
    const texts = elements.elements.map(element => {
      if (!mapped) return this.#texts(element, bindings);
      if (!ts.isArrowFunction(mapped.by)) return this.#sample(list);
      const parameter = this.#checker.getSymbolAtLocation(mapped.by.parameters[0]!.name)!;
      const inner = new Map(bindings).set(parameter, element);
      return returnedBy(mapped.by.body).flatMap(result => this.#texts(result, inner));
    });
    return combined(texts.flatMap((text, index) => (index === 0 ? [text] : [[separator], text])));
  }

  /** The value of a constant, instead of its name. */
  #initial(node: ts.Expression): ts.Expression {
    const declaration = this.#symbolOf(node)?.valueDeclaration;
    return declaration && isConstant(declaration) && declaration.initializer
      ? unwrapped(declaration.initializer)
      : node;
  }

  #symbolOf(node: ts.Expression): ts.Symbol | undefined {
    const symbol = this.#checker.getSymbolAtLocation(node);
    return symbol && symbol.flags & ts.SymbolFlags.Alias ? this.#checker.getAliasedSymbol(symbol) : symbol;
  }

  #sample(node: ts.Expression, usual?: string[]): string[] {
    const key = `${this.#fileOf(node)}: ${node.getText().replaceAll(/\s+/g, ' ')}`;
    const sample = this.#samples[key];
    if (sample) this.sampled.add(key);
    else if (!usual) throw new Unevaluated(`cannot determine what text ${node.getText()} is`);
    return [...(sample ?? usual!)];
  }
}

export function unwrapped(node: ts.Expression): ts.Expression {
  const isOuter =
    ts.isParenthesizedExpression(node) ||
    ts.isAsExpression(node) ||
    ts.isSatisfiesExpression(node) ||
    ts.isNonNullExpression(node);
  return isOuter ? unwrapped(node.expression) : node;
}

function isConstant(declaration: ts.Declaration): declaration is ts.VariableDeclaration {
  return (
    ts.isVariableDeclaration(declaration) && (ts.getCombinedNodeFlags(declaration) & ts.NodeFlags.Const) !== 0
  );
}

/** Every text of the first, followed by every text of the second, and so on. */
function combined(parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (begun, endings) => begun.flatMap(start => endings.map(end => start + end)),
    [''],
  );
}

function returnedBy(body: ts.ConciseBody): ts.Expression[] {
  if (!ts.isBlock(body)) return [body];
  const found: ts.Expression[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression) found.push(node.expression);
    else if (!ts.isFunctionLike(node)) ts.forEachChild(node, visit);
  };
  visit(body);
  return found;
}

function callsIn(
  files: readonly ts.SourceFile[],
  checker: ts.TypeChecker,
): Map<ts.Symbol, ts.CallExpression[]> {
  const calls = new Map<ts.Symbol, ts.CallExpression[]>();
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const symbol = checker.getSymbolAtLocation(node.expression);
      const called =
        symbol && symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
      if (called) calls.set(called, [...(calls.get(called) ?? []), node]);
    }
    ts.forEachChild(node, visit);
  };
  files.forEach(visit);
  return calls;
}
