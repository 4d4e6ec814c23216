/** Notes the results of all conditions of the suite, and inverts one of them. */

import ts from 'typescript';

/** A suite that lacks a condition may never end. Complete, it needs half of these at most. */
const mostConditions = 200_000_000;

/** What the suite notes when it runs, and the result of a condition that it must not have. */
export interface Conditions {
  readonly seen: Set<string>;
  without?: string | undefined;
  count: number;
}

/** Begins a bundle whose conditions are noted: the result of number 12 is `12T` or `12F`. */
export const noting = `globalThis.conditions = { seen: new Set(), count: 0 };
const $if = (id, is) => {
  const result = id + (is ? 'T' : 'F');
  conditions.seen.add(result);
  if (++conditions.count > ${mostConditions}) throw new Error('It never ends.');
  return result === conditions.without ? !is : is;
};`;

const { SyntaxKind } = ts;
const isNot = (node: ts.Node) => ts.isPrefixUnaryExpression(node) && node.operator === SyntaxKind.ExclamationToken;
const operatorOf = (node: ts.Node) => (ts.isBinaryExpression(node) ? ts.tokenToString(node.operatorToken.kind) : '');
const isBoth = (node: ts.Node): node is ts.BinaryExpression => ['&&', '||'].includes(operatorOf(node) ?? '');
const isComparison = (node: ts.Node) => /^(?:[!=]==|[<>]=?|in)$/.test(operatorOf(node) ?? '');
const isTest = (node: ts.Node) =>
  ts.isCallExpression(node) &&
  /\.(?:test|includes|has|some|every|startsWith|endsWith|isArray)$/.test(node.expression.getText());

/** Whether code goes another way by this. */
function decides(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isParenthesizedExpression(parent)) return decides(parent);
  if (isBoth(parent)) return node === parent.left || (node === parent.right && decides(parent));
  if (ts.isConditionalExpression(parent)) return parent.condition === node;
  return isNot(parent) || (ts.isIfStatement(parent) && parent.expression === node);
}

/** The source with all its conditions noted. `next` gives each a number. */
export function withConditions(source: string, next: () => number): string {
  const print = (node: ts.Node): string => {
    let text = '';
    let end = node.getStart();
    ts.forEachChild(node, (child) => {
      text += source.slice(end, child.getStart()) + print(child);
      end = child.getEnd();
    });
    text += source.slice(end, node.getEnd());
    const isPart = ts.isParenthesizedExpression(node) || isNot(node) || isBoth(node);
    return !isPart && node.parent && (isComparison(node) || isTest(node) || decides(node))
      ? `$if(${next()}, ${text})`
      : text;
  };
  return print(ts.createSourceFile('', source, ts.ScriptTarget.Latest, true));
}
