import socket
from itertools import count
from typing import List, Optional

import uvicorn
from fastapi import FastAPI, HTTPException, Query, Response
from pydantic import BaseModel, Extra, Field


class NewTask(BaseModel, extra=Extra.forbid):
    title: str = Field(min_length=1, max_length=40)
    done: bool = False
    priority: Optional[int] = Field(None, ge=1, le=5)


class Task(NewTask):
    id: str


class Problem(BaseModel):
    detail: str


app = FastAPI(title="Tasks", version="1.0.0", generate_unique_id_function=lambda route: route.name)
tasks = {}
numbers = count(1)
missing = {404: {"model": Problem, "description": "There is no such task."}}


def known(id):
    if id not in tasks:
        raise HTTPException(404, "no such task")
    return tasks[id]


@app.get("/tasks", response_model=List[Task], response_model_exclude_none=True)
def listTasks(limit: int = Query(20, ge=1, le=50), done: Optional[bool] = None):
    return [each for each in tasks.values() if done is None or each.done == done][:limit]


@app.post("/tasks", status_code=201, response_model=Task, response_model_exclude_none=True)
def addTask(task: NewTask):
    own = Task(id=f"t{next(numbers)}", **task.dict())
    tasks[own.id] = own
    return own


@app.get("/tasks/{id}", response_model=Task, response_model_exclude_none=True, responses=missing)
def getTask(id: str):
    return known(id)


@app.put("/tasks/{id}", response_model=Task, response_model_exclude_none=True, responses=missing)
def replaceTask(id: str, task: NewTask):
    known(id)
    tasks[id] = Task(id=id, **task.dict())
    return tasks[id]


@app.delete("/tasks/{id}", status_code=204, response_class=Response, responses=missing)
def removeTask(id: str):
    known(id)
    del tasks[id]


listening = socket.socket()
listening.bind(("127.0.0.1", 0))
listening.listen()
print(f"http://127.0.0.1:{listening.getsockname()[1]}", flush=True)
uvicorn.Server(uvicorn.Config(app, log_level="error")).run(sockets=[listening])
