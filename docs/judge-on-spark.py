"""Judges recorded traffic on Spark: spark-submit judge-on-spark.py TRAFFIC REPORTS PARTS, then merge the reports."""

import json
import os
import re
import sys
import zlib
from collections import namedtuple
from datetime import datetime

from pyspark.sql import SparkSession

traffic, reports, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])
Line = namedtuple("Line", "kind of at text")


def read(text):
    """What a line is, what it is part of, and when: an execution or a profile is judged in one piece, in order."""
    exchange = json.loads(text)
    url = exchange["request"]["url"]
    at = exchange.get("at", exchange.get("startedDateTime"))
    if isinstance(at, str):
        at = datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() * 1000
    if re.search(r"/agents/v2/workflows/[^/?#]+/execute", url):
        named = re.search(r'executionId[\\":\s]+([\w-]+)', json.dumps(exchange.get("response")))
        return Line("start", named[1].lower() if named else "", at, text)
    path = re.search(r"/agents/v2/(executions|agent-profiles|agent-profile-pools)/([^/?#]+)(/[^/?#]+)?", url)
    if not path:
        return Line("foreign", "", at, text)
    return Line("reading" if path[1] == "executions" and not path[3] else "other", path[2].lower(), at, text)


def part(of):
    return zlib.crc32(of.encode()) % parts


def told(line, to):
    """Judged in its own part, and known in another."""
    return (to, line.at), line.text.replace("{", '{"elsewhere":true,', 1)


# Pipes start with an empty environment, so it is handed on. A part that breaks a rule is no failure of the job; one that
# cannot be read is.
judge = "sh -c 'workflow-contract check --recording - --quiet --report json=-; [ $? -ne 2 ]'"

spark = SparkSession.builder.appName("judge traffic").getOrCreate().sparkContext
lines = spark.textFile(traffic).map(read).cache()
own = lines.map(lambda line: ((part(line.of), line.at), line.text))

# A start that was lost names no execution. What its caller did next is told by other starts, and by readings of executions
# that none has named: its part is told of these.
starts = lines.filter(lambda line: line.kind == "start")
readings = lines.filter(lambda line: line.kind == "reading").keyBy(lambda line: line.of)
nexts = starts.union(readings.subtractByKey(starts.keyBy(lambda line: line.of)).values())
lost = part("")
after_lost = nexts.filter(lambda line: part(line.of) != lost).map(lambda line: told(line, lost))

# Where a part ends, the whole may go on.
last = lines.filter(lambda line: line.kind != "foreign").top(1, key=lambda line: line.at)
ends = spark.parallelize([told(line, to) for line in last for to in range(parts) if to != part(line.of)])

(
    spark.union([own, after_lost, ends])
    .repartitionAndSortWithinPartitions(parts, lambda key: key[0], True, lambda key: key[1])
    .values()
    .pipe(judge, env=dict(os.environ), checkCode=True)
    .saveAsTextFile(reports)
)
