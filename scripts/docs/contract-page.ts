/** The page of the contract. */

import '../../conformance/suite/contract.js';
import { standings } from '../../conformance/engine/report/digest.js';
import { Html, h, join, style as reportStyle } from '../../conformance/engine/report/html.js';
import { operationIds } from '../../generated/operations.js';
import { callers, gaps, rules } from '../../generated/rules.js';
import { resolve } from '../generate/resolve.js';
import {
  type Answer,
  type ContractDocument,
  type Example,
  gapsAt,
  gapsWithin,
  operationsOf,
  otherPathsTo,
  type Parameter,
  type Placed,
} from './document.js';
import { gapLinks, inline, schemaBody, typeOf } from './schemas.js';

/** The style of the report, and what this page has besides. */
const style = `${reportStyle}
.skip { position: absolute; left: -999rem; } .skip:focus { position: static; }
main:focus { outline: none; }
nav ul { display: flex; flex-wrap: wrap; gap: 0.35rem 1.25rem; padding: 0; list-style: none; }
@media (min-width: 75rem) {
  .frame { display: grid; grid-template-columns: 12.5rem minmax(0, 1fr); gap: 2.5rem; }
  nav ul { position: sticky; top: 1rem; flex-direction: column; flex-wrap: nowrap; max-height: calc(100vh - 2rem); overflow-y: auto; font-size: 0.9rem; }
}
section { margin-bottom: 3rem; } h2 { display: block; margin: 0 0 0.35rem; }
.scroll table { overflow-wrap: normal; }
.call { margin: 0 0 0.75rem; } .call b { margin-right: 0.4rem; }
.rules-of { margin: 0; padding: 0; list-style: none; }
.rules-of > li { padding: 0.45rem 0; border-top: 1px solid var(--line); }
.rules-of .rests { margin: 0.3rem 0 0; }
.rules-of .level { display: inline-block; min-width: 4rem; }
.fields td:first-child { white-space: nowrap; } .fields .name { font-family: var(--mono); font-size: 0.9em; }
.fields p { margin: 0.15rem 0; } .fields td { min-width: 7rem; }
.gap { font-size: 0.87rem; } .gap::before { content: "? "; color: var(--warn); font-weight: 700; }
li:target { scroll-margin-top: 1rem; background: color-mix(in srgb, var(--link) 12%, var(--paper)); }
@media (max-width: 40rem) { .fields td { min-width: 5rem; } }
`;
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'";

/** The headings for places of parameters. */
const places: Readonly<Record<string, string>> = { path: 'Path', query: 'Query', header: 'Header' };

type AnyRule = (typeof rules)[number] | (typeof callers)[number];

const onAll = ({ on }: AnyRule): boolean => on.length === operationIds.length;

/** Lists rules, with their statements. A rule is shown in full once; later entries link to that place. */
function ruleList(all: readonly AnyRule[], met: Set<string>): Html {
  const item = (rule: AnyRule) => {
    const isFirst = !met.has(rule.id);
    met.add(rule.id);
    const head = h`<span class="level ${rule.level.toLowerCase()}">${rule.level}</span> <a href="#rule-${rule.id}"><code>${rule.id}</code></a> ${rule.says}`;
    if (!isFirst) return h`<li>${head}</li>`;
    const rests = standings(rule).map(
      ({ standing, says }) => h`<li><span class="standing ${standing}">${standing}</span> ${says}</li>`,
    );
    const effect = 'effect' in rule && h` <span class="soft">to judge it: ${rule.effect}</span>`;
    return h`<li id="rule-${rule.id}">${head}${effect}<ul class="rests" aria-label="Rests on">${rests}</ul></li>`;
  };
  return h`<ul class="rules-of">${all.map(item)}</ul>`;
}

function gapList(ids: ReadonlySet<string>, met: Set<string>): Html {
  const item = ({ id, asks }: (typeof gaps)[number]) => {
    const isFirst = !met.has(id);
    met.add(id);
    return h`<li${isFirst && h` id="gap-${id}"`}><a class="gap" href="#gap-${id}"><code>${id}</code></a> ${asks}</li>`;
  };
  return h`<ul class="rules-of">${gaps.filter(({ id }) => ids.has(id)).map(item)}</ul>`;
}

function bodies(document: ContractDocument, content: Answer['content']): Html {
  return h`${Object.values(content ?? {}).map(({ schema, examples = {} }) => {
    const shown = Object.values(examples).map((one) => resolve<Example>(document, one));
    return h`${schema && h`<p>Body: ${typeOf(schema)}</p>`}${schema && gapLinks(gapsAt(schema))}${shown.map(
      ({ summary = 'Example', value }) =>
        h`<details><summary>${summary}</summary><pre tabindex="0">${JSON.stringify(value, null, 2)}</pre></details>`,
    )}`;
  })}`;
}

function operationSection(document: ContractDocument, placed: Placed, met: Set<string>): Html {
  const { operation, parameters } = placed;
  const { operationId: id, requestBody } = operation;
  const given = parameters.map((one) => resolve<Parameter>(document, one));
  const keys = operation.security
    .flatMap(Object.keys)
    .flatMap((name) => document.components.securitySchemes[name] ?? []);
  const own = rules.filter((rule) => (rule.on as readonly string[]).includes(id) && !onAll(rule));
  const mine = callers.filter((rule) => (rule.on as readonly string[]).includes(id) && !onAll(rule));
  return h`<section id="operation-${id}" aria-labelledby="operation-${id}-title"><h2 id="operation-${id}-title">${operation.summary}</h2>
${[placed, ...otherPathsTo(document, id)].map(
  ({ method, path, operation: { operationId, deprecated } }) =>
    h`<p class="call"><b>${method}</b> <code>${path}</code> <span class="soft">${operationId}${deprecated && ', deprecated'}</span></p>
`,
)}${inline(operation.description)}${gapLinks(gapsAt(operation))}
<p>Key: ${join(
    keys.map((key) => h`<code>${key.name}</code>${gapLinks(gapsAt(key))}`),
    ' or ',
  )}</p>
${given.map((one) => h`<p>${places[one.in ?? ''] ?? ''}: <code>${one.name ?? ''}</code>, ${one.schema ? typeOf(one.schema) : ''}${one.in !== 'path' && one.required && ', required'}. ${one.description ?? ''} ${gapLinks(gapsAt(one))}</p>`)}
${requestBody && h`<h3>Request</h3>${gapLinks(gapsAt(requestBody))}${bodies(document, requestBody.content)}`}
<h3>Answers</h3>
${Object.entries(operation.responses).map(([status, answer]) => {
  const { description = '', content, ...rest } = resolve<Answer>(document, answer);
  return h`<details><summary><b>${status}</b> ${description.split('\n')[0] ?? ''}</summary><div class="inside">${inline(description)}${gapLinks(gapsAt(rest))}${bodies(document, content)}</div></details>`;
})}
<h3>Rules</h3>
${ruleList(own, met)}
${mine.length > 0 && h`<h3>Rules for callers</h3>${ruleList(mine, met)}`}
<h3>Gaps</h3>
${gapList(gapsWithin(document, { ...placed, parameters, keys }), met)}
</section>
`;
}

/** The contract as a page: all operations with their rules and gaps, the schemas, and what applies everywhere. */
export function contractPage(document: ContractDocument): string {
  const { title, version, summary, description } = document.info;
  const met = new Set<string>();
  const operations = operationsOf(document);
  const reached = new Set(operations.flatMap((placed) => [...gapsWithin(document, placed)]));
  // Rules on all operations come first, and are not repeated for each operation.
  const everywhere = h`<section id="every-operation"><h2>Every operation</h2>
<p>These rules hold for whatever operation is called.</p>${ruleList(rules.filter(onAll), met)}
${callers.some(onAll) && h`<h3>Rules for callers</h3>${ruleList(callers.filter(onAll), met)}`}</section>`;
  const sections = operations.map((placed) => operationSection(document, placed, met));
  const others = new Set<string>(gaps.flatMap(({ id }) => (met.has(id) ? [] : [id])));
  const general = h`<section id="gaps"><h2>Gaps of no single operation</h2>
<p>What the interface leaves open beside its operations. Nothing is demanded here; a run reports what it observed.</p>${gapList(others, met)}</section>`;
  const schemas = Object.entries(document.components.schemas).map(
    ([name, schema]) =>
      h`<section id="schema-${name}" aria-labelledby="schema-${name}-title"><h3 id="schema-${name}-title">${name}</h3>${schemaBody(schema, name)}</section>`,
  );
  const nav = [
    { href: '#every-operation', title: 'Every operation' },
    ...operations.map(({ operation }) => ({ href: `#operation-${operation.operationId}`, title: operation.summary })),
    { href: '#gaps', title: 'Further gaps' },
    { href: '#schemas', title: 'Schemas' },
  ];
  return h`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${new Html(policy)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="data:,">
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the text</a>
<header class="verdict"><p class="kind">${summary} · ${version}</p>
<h1>${title}</h1>
<div class="lede">${inline(description)}<p>A violated MUST fails a run of <code>npx workflow-execution-contract check</code>, a violated SHOULD warns. A gap is what the interface leaves open: nothing is demanded there, and a run reports what it observed. ${rules.length} rules, ${gaps.length} gaps (${reached.size} of them at an operation), ${callers.length} rules for callers.</p></div></header>
<div class="frame">
<nav aria-label="Contents"><ul>${nav.map(({ href, title }) => h`<li><a href="${href}">${title}</a></li>`)}</ul></nav>
<main id="main" tabindex="-1">
${everywhere}${sections}${general}<section id="schemas"><h2>Schemas</h2>${schemas}</section>
</main>
</div>
</body>
</html>
`.text;
}
