"""Judges recorded traffic on Spark: spark-submit judge-on-spark.py TRAFFIC REPORTS PARTS, then merge the reports."""

import json
import os
import re
import sys
import zlib
from datetime import datetime

from pyspark.sql import SparkSession

traffic, reports, parts = sys.argv[1], sys.argv[2], int(sys.argv[3])


def keyed(text):
    """A line with its part and its time: all exchanges of an execution or a profile are in one part, in order."""
    exchange = json.loads(text)
    url = exchange["request"]["url"]
    at = exchange.get("at", exchange.get("startedDateTime"))
    if isinstance(at, str):
        at = datetime.fromisoformat(at.replace("Z", "+00:00")).timestamp() * 1000
    if re.search(r"/agents/v2/workflows/[^/?#]+/execute", url):
        named = re.search(r'executionId[\\":\s]+([\w-]+)', json.dumps(exchange.get("response")))
    else:
        named = re.search(r"/agents/v2/(?:executions|agent-profiles)/([^/?#]+)", url)
    return (zlib.crc32(named[1].lower().encode()) % parts if named else 0, at), text


# Pipes start with an empty environment, so it is handed on. A part that breaks a rule is no failure of the job; one that
# cannot be read is.
judge = "sh -c 'workflow-contract check --recording - --quiet --report json=-; [ $? -ne 2 ]'"

(
    SparkSession.builder.appName("judge traffic")
    .getOrCreate()
    .sparkContext.textFile(traffic)
    .map(keyed)
    .repartitionAndSortWithinPartitions(parts, lambda key: key[0], True, lambda key: key[1])
    .values()
    .pipe(judge, env=dict(os.environ), checkCode=True)
    .saveAsTextFile(reports)
)
